"use strict";
// Shows what the table tells as soon as it does; on the pages of seats and the host also presses.
const main = document.getElementById("main");
const call = document.getElementById("call");
const enter = document.getElementById("enter");
const told = document.getElementById("told");
const seat = enter && enter.dataset.seat !== undefined ? Number(enter.dataset.seat) : null;
const lost = document.getElementById("lost");
const WORDS = ["have", "stick", "out", "next"];
const LOST_MS = 3000, AGAIN_MS = 400, SURE_MS = 15000, REFUSED_MS = 6000, MEANT_MS = 700, MINE_MS = 300, HEARD_MS = 10000;
const KEY = seat === null ? "host" : "seat" + seat;
let stream = null;
let turn = false;
let sitting = "";
let losing = 0; // waits before it says that the connection is lost
let pressed = 0; // when the last word was said, or the last question answered
let fading = 0; // waits before what is told here is shown no more
let isSure = false; // whether it asks for OUT again, so that a second one counts
let mine = 0; // until then what changes comes of a press here
let before = []; // what was shown lately: until when, what was asked, and where its buttons were

function show(html) {
  if (enter) remember();
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const focus = document.activeElement && document.activeElement.id;
  let at = main.firstElementChild;
  for (const part of [...fresh.content.children]) {
    if (at && at.id === part.id) {
      const next = at.nextElementSibling;
      if (at.outerHTML !== part.outerHTML) at.replaceWith(part);
      at = next;
    } else {
      main.insertBefore(part, at);
    }
  }
  while (at) {
    const next = at.nextElementSibling;
    at.remove();
    at = next;
  }
  const again = focus && (document.getElementById(focus) || document.getElementById("asked"));
  if (again && again !== document.activeElement) again.focus({ preventScroll: true });
  const own = document.getElementById("mine");
  const now = Boolean(own && own.dataset.turn === "1");
  if (now && !turn) tellTurn(own);
  turn = now;
  const there = own && own.dataset.sitting;
  if (there && sitting && there !== sitting && sessionStorage.getItem(KEY)) take(); // another evening
  sitting = there || sitting;
}

function asked() {
  const asks = document.getElementById("asks");
  return asks && asks.dataset.id ? Number(asks.dataset.id) : undefined;
}

// Who presses just when others have changed the page has meant what was there before.
function remember() {
  const now = Date.now();
  before = before.filter((each) => now - each.until < MEANT_MS);
  if (now < mine) return;
  const places = [...main.querySelectorAll("button")].map((button) => [button.id, button.getBoundingClientRect()]);
  before.push({ until: now, asked: asked(), places });
}

function meant(event, button) {
  const lately = event.detail ? before.filter((each) => Date.now() - each.until < MEANT_MS) : [];
  const isOther = ([id, at]) => id !== button.id && event.clientX >= at.left && event.clientX <= at.right &&
    event.clientY >= at.top && event.clientY <= at.bottom;
  if (lately.some((each) => each.places.some(isOther))) return null;
  return lately.length ? lately[0].asked : asked();
}

function tellTurn(own) {
  if (enter && sessionStorage.getItem(KEY) && enter.hidden) {
    if (navigator.vibrate && navigator.userActivation && navigator.userActivation.hasBeenActive) {
      navigator.vibrate([120, 80, 120]);
    }
    say([own.querySelector(".badge").textContent]);
  }
}

// Added, not put in the place of what was said: a screen reader says all of it, one after the other.
function say(lines) {
  for (const line of call ? lines : []) {
    const words = document.createElement("p");
    words.textContent = line;
    call.append(words);
    setTimeout(() => words.remove(), HEARD_MS);
  }
}

function listen() {
  if (stream) stream.close();
  stream = new EventSource(main.dataset.live);
  stream.addEventListener("build", (sent) => {
    const build = document.documentElement.dataset.build;
    if (JSON.parse(sent.data) !== build) location.reload();
    else if (enter && sessionStorage.getItem(KEY)) take();
  });
  stream.addEventListener("part", (sent) => {
    isLost(false);
    show(JSON.parse(sent.data));
  });
  stream.addEventListener("call", (sent) => say(JSON.parse(sent.data)));
  stream.onopen = () => {
    clearTimeout(losing);
    losing = 0;
    isLost(false);
  };
  stream.onerror = () => {
    losing = losing || setTimeout(isLost, LOST_MS, true);
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
}

function isLost(is) {
  if (lost) lost.hidden = !is;
  document.body.classList.toggle("lost", is);
  if (!is && told && enter && told.textContent === enter.dataset.gone) told.hidden = true;
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  turn = false; // a phone that wakes is told its turn again
  listen();
});

const back = document.getElementById("to-seat");
for (let number = 1; back && number <= 8; number += 1) {
  if (!sessionStorage.getItem("seat" + (number - 1))) continue;
  back.pathname = "/seat/" + number;
  back.hidden = false;
}

// --- presses -----------------------------------------------------------------------------------

function phone() {
  let name = localStorage.getItem("phone");
  if (!name) {
    name = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
    localStorage.setItem("phone", name);
  }
  return name;
}

async function post(ask, body) {
  const secret = sessionStorage.getItem(KEY) || "";
  const headers = { "content-type": "application/json" };
  if (seat !== null) Object.assign(headers, { "boneace-secret": secret, "boneace-phone": phone() });
  else if (body.pin === undefined) headers["boneace-host"] = secret;
  if (seat !== null) body.seat = seat;
  try {
    const query = "?lang=" + document.documentElement.lang;
    const answer = await fetch("/api/" + ask + query, { method: "POST", headers, body: JSON.stringify(body) });
    return await answer.json();
  } catch {
    return { ok: false, problem: "gone", text: enter.dataset.gone };
  }
}

function alertOf(answer, forMs) {
  clearTimeout(fading);
  isSure = false;
  if (told.textContent !== (answer.text || "")) told.textContent = answer.text || "";
  told.hidden = !answer.text;
  if (forMs) fading = setTimeout(alertOf, forMs, {});
}

function open_(is) {
  enter.hidden = is;
  document.body.classList.toggle("shut", !is);
}

async function take(isTyped) {
  const answer = await post(seat === null ? "host" : "seat", {});
  alertOf(answer);
  if (answer.problem === "asked") setTimeout(take, 1000);
  if (answer.problem === "secret") forget(isTyped ? answer.text : enter.dataset.old);
  open_(!["secret", "asked", "taken", "tries"].includes(answer.problem));
}

function forget(text) {
  sessionStorage.removeItem(KEY);
  alertOf({ text });
}

// A finger that trembles presses twice, and by then what lies below it may be something else.
function isTremble() {
  const now = Date.now();
  if (now - pressed < AGAIN_MS) return true;
  pressed = now;
  return false;
}

// Why a press was refused is told to who has pressed, for a while.
function refuse(answer) {
  alertOf({}); // the same words again are told again
  fading = setTimeout(alertOf, 50, answer, REFUSED_MS);
}

async function press(body) {
  const answer = await post("press", body);
  if (answer.ok) {
    alertOf(answer);
    mine = Date.now() + MINE_MS;
    before = [];
    if (navigator.vibrate) navigator.vibrate(30);
    say([enter.dataset.sent]);
  } else if (answer.problem === "secret") {
    forget(enter.dataset.old);
    open_(false);
  } else if (answer.problem === "asked") {
    take();
  } else {
    refuse(answer);
  }
}

if (enter) {
  if (location.hash.length > 1 && seat !== null) {
    sessionStorage.setItem(KEY, location.hash.slice(1));
    history.replaceState(null, "", location.pathname + location.search);
  }
  open_(Boolean(sessionStorage.getItem(KEY)));
  enter.addEventListener("submit", async (event) => {
    event.preventDefault();
    const typed = document.getElementById("secret").value.trim();
    document.getElementById("secret").value = "";
    if (seat !== null) {
      sessionStorage.setItem(KEY, typed);
      take(true);
      return;
    }
    const answer = await post("host", { pin: typed });
    alertOf(answer);
    if (answer.ok) {
      sessionStorage.setItem(KEY, answer.token);
      open_(true);
    }
  });
  main.addEventListener("click", async (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.leave !== undefined) {
      alertOf(await post("leave", {}));
      sessionStorage.removeItem(KEY);
      open_(false);
      return;
    }
    const name = button.dataset.button, prompt = meant(event, button);
    if ((!name || WORDS.includes(name)) && isTremble()) return;
    if (prompt === null) {
      refuse({ text: enter.dataset.stale });
    } else if (!name) {
      press({ choice: Number(button.dataset.choice), prompt: Number(button.dataset.prompt) });
    } else {
      if (name === "out" && !isSure) {
        alertOf({ text: enter.dataset.out }, SURE_MS);
        isSure = true;
        return;
      }
      alertOf({});
      press({ button: name, prompt });
    }
  });
}
listen();
