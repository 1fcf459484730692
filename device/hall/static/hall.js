"use strict";
// The page is drawn by the server; every two seconds it is asked whether anything has changed.
let tag = null;

async function look() {
  try {
    const headers = tag ? { "If-None-Match": tag } : {};
    const answer = await fetch(location.href, { headers, cache: "no-store" });
    if (answer.status === 200) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const [old, next] = [document.getElementById("page"), page.getElementById("page")];
      const first = tag === null;
      tag = answer.headers.get("ETag");
      const focused = document.activeElement && document.activeElement.getAttribute("href");
      if (!first || old.innerHTML !== next.innerHTML) {
        old.replaceWith(document.adoptNode(next));
        const again = focused && next.querySelector(`a[href="${CSS.escape(focused)}"]`);
        if (again) again.focus({ preventScroll: true });
      }
    }
  } catch {
    // The hall is away for a moment: what stands here stays.
  }
  setTimeout(look, 2000);
}

setTimeout(look, 2000);
