"use strict";
// The page is drawn by the server; every two seconds it is asked whether anything has changed.
let tag = null;
const TURN_MS = 10000;
const still = matchMedia("(prefers-reduced-motion: reduce)");

function turning() {
  return [...document.querySelectorAll("[data-turns]")];
}

function name(element) {
  if (!element) return null;
  const leads = element.getAttribute("href");
  return element.id ? `#${CSS.escape(element.id)}` : leads && `a[href="${CSS.escape(leads)}"]`;
}

async function look() {
  try {
    const headers = tag ? { "If-None-Match": tag } : {};
    const answer = await fetch(location.href, { headers, cache: "no-store" });
    if (answer.status === 200) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const [old, next] = [document.getElementById("page"), page.getElementById("page")];
      const first = tag === null;
      tag = answer.headers.get("ETag");
      if (!first || old.innerHTML !== next.innerHTML) {
        const [focused, at] = [name(document.activeElement), turning().map((each) => each.scrollTop)];
        old.replaceWith(document.adoptNode(next));
        turning().forEach((each, number) => { each.scrollTop = at[number]; });
        const again = focused && next.querySelector(focused);
        if (again) again.focus({ preventScroll: true });
      }
    }
  } catch {
    // The hall is away for a moment: what stands here stays.
  }
  setTimeout(look, 2000);
}

// What does not fit on the scoreboard is shown in turn, unless somebody has clicked it or wants no motion.
function turn() {
  for (const each of turning()) {
    if (still.matches || each.matches(":focus-within")) continue;
    const [head, box] = [each.querySelector("thead"), each.getBoundingClientRect()];
    const top = box.top + (head ? head.offsetHeight : 0);
    const hidden = [...each.querySelectorAll("article, tbody tr")]
      .map((one) => one.getBoundingClientRect())
      .find((one) => one.bottom > box.bottom + 1 && one.top > top + 1);
    each.scrollTop = hidden ? each.scrollTop + hidden.top - top : 0;
  }
}

setTimeout(look, 2000);
setInterval(turn, TURN_MS);
