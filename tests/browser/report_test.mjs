// Opens the report and a comparison in Chromium, uses them as people do and fails on any console error.
//   node report_test.mjs REPORT_SAMPLE    the program that writes the sample pages
// HAVLN_CHROMIUM names the browser (default: Debian's headless shell, else its Chromium),
// HAVLN_PAINT_MS the longest time to the first paint of pages with 2,617 episodes (default 2000).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const browsers = [process.env.HAVLN_CHROMIUM, "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const chromium = browsers.find((path) => path && existsSync(path));
const paintLimit = Number(process.env.HAVLN_PAINT_MS || 2000);

function skip(why) {
  console.log(`SKIPPED: ${why}; scripts/browser-test.sh installs it`);
  process.exit(0);
}
const playwright = await import("playwright-core").catch(() => skip("playwright-core is missing"));
if (!chromium) skip("Chromium is missing");

const folder = mkdtempSync(join(tmpdir(), "havln-browser-"));
execFileSync(process.argv[2], [folder]);
const pageUrl = (name) => pathToFileURL(join(folder, name)).href;

const browser = await playwright.chromium.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/// A fresh page on `url`; `faults` collects what must not happen.
async function open(url, { width = 1280, height = 900, colorScheme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);  // machines that run tests may be busy
  const faults = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== url.split("#")[0]) faults.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, context, faults };
}
const column = (page, n) => page.locator(`.rows tbody tr > :nth-child(${n})`).allTextContents();
const header = async (page) =>
  (await page.locator(".rows thead th button").allTextContents()).map((text) => text.replace(/[▲▼]/, "").trim());
const columnNumber = async (page, label) => {
  const at = (await header(page)).indexOf(label);
  assert.notEqual(at, -1, `no column ${label}`);
  return at + 1;
};
const numbers = (texts) => texts.map((text) => Number(text.replace(/,/g, "")));
function assertRising(values, what) {
  for (let i = 1; i < values.length; ++i) {
    assert.ok(values[i - 1] <= values[i], `${what}: ${values[i - 1]} before ${values[i]}`);
  }
}
const heading = (page, key) => page.locator(`.rows thead th:has(button[data-sort="${key}"])`);
const chip = (page, key) => page.locator(`.chips button[data-filter="${key}"]`);
const status = (page) => page.locator(".status").textContent();

const tests = {
  async "texts stay texts and nothing runs or loads"({ page }) {
    assert.equal(await page.locator("h1").textContent(), "<i>agent</i> & co.zip");
    assert.equal(await page.title(), "<i>agent</i> & co.zip - havln report");
    assert.equal(await page.locator("main img, main i, dialog img").count(), 0);
  },
  async "the headline is there and splits can be switched"({ page }) {
    const shown = () => page.locator("section.split:visible h2").allTextContents();
    assert.deepEqual(await shown(), ["val_unseen 1,839 episodes"]);
    assert.match(await page.locator("section.split:visible .score-value").textContent(), /^\d+\.\d\d$/);
    await page.locator(".tabs button", { hasText: "val_seen" }).click();
    assert.deepEqual(await shown(), ["val_seen 778 episodes"]);
    assert.equal(await status(page), "1 to 100 of 778 episodes");
    await page.locator(".tabs button", { hasText: "val_unseen" }).click();
    assert.equal(await status(page), "1 to 100 of 1,839 episodes");
    assert.equal(await page.locator(".rows tbody tr").count(), 100);
  },
  async "the components add up to the Score"({ page }) {
    const rows = page.locator("section.split:visible .components tbody tr");
    const points = async (row) =>
      Number((await rows.nth(row).locator("td").nth(2).textContent()).replace("−", "-").replace("+", ""));
    const sum = (await points(0)) + (await points(1)) + (await points(3)) + (await points(4));
    assert.ok(Math.abs(sum - (await points(5))) < 0.03, `${sum} is not ${await points(5)}`);
  },
  async "the table sorts by numbers, both ways, over all pages"({ page }) {
    const ne = await columnNumber(page, "NE m");
    assert.equal(await heading(page, "ne").getAttribute("aria-sort"), "none");
    await heading(page, "ne").locator("button").click();
    assert.equal(await heading(page, "ne").getAttribute("aria-sort"), "ascending");
    const first = numbers(await column(page, ne));
    await page.locator(".pager button", { hasText: "Next" }).click();
    const second = numbers(await column(page, ne));
    assertRising([...first, ...second], "NE");
    await heading(page, "ne").locator("button").click();
    assert.equal(await heading(page, "ne").getAttribute("aria-sort"), "descending");
    assertRising(numbers(await column(page, ne)).reverse(), "NE falling");
    await heading(page, "steps").locator("button").click();
    assertRising(numbers(await column(page, await columnNumber(page, "Steps"))), "Steps");
    assert.equal(await heading(page, "ne").getAttribute("aria-sort"), "none");
    await heading(page, "id").locator("button").click();
    const ids = numbers(await column(page, 1));
    assert.deepEqual(ids.slice(0, 5), [1, 2, 3, 4, 6]);  // "5" carries markup and sorts as text
  },
  async "filters keep what they say, as often as they say"({ page }) {
    const chosen = async (label) => {
      await chip(page, label).click();
      const count = Number((await chip(page, label).locator("span").textContent()).replace(/,/g, ""));
      const words = await status(page);
      assert.ok(count > 0, `${label}: the sample has none`);
      assert.match(words, new RegExp(` of ${count.toLocaleString("en")} chosen out of 1,839 episodes$`), label);
    };
    await chosen("hit");
    for (const n of numbers(await column(page, await columnNumber(page, "Contact")))) assert.ok(n > 0);
    await chosen("near");
    for (const ne of numbers(await column(page, await columnNumber(page, "NE m")))) assert.ok(ne < 6.005);
    for (const text of await column(page, await columnNumber(page, "Outcome"))) {
      assert.ok(["Stopped near", "Ran out of steps"].includes(text), text);
    }
    await chosen("steps");
    for (const n of numbers(await column(page, await columnNumber(page, "Steps")))) assert.equal(n, 250);
    await chip(page, "all").click();
    await page.locator("#search").fill("episode 1234.");
    assert.equal(await status(page), "1 to 1 of 1 chosen out of 1,839 episodes");
    await page.locator("#search").fill("no such text");
    assert.equal(await status(page), "No episode fits.");
    await page.locator("#search").fill("");
  },
  async "a map opens, can be stepped through and closes, by keyboard"({ page }) {
    await heading(page, "id").locator("button").click();
    await page.locator(".rows tbody button.open").first().focus();
    await page.keyboard.press("Enter");
    const dialog = page.locator("dialog");
    assert.ok(await dialog.evaluate((node) => node.open));
    assert.ok(await dialog.evaluate((node) => node.contains(document.activeElement)));
    assert.equal(await page.locator("#map-title").textContent(), "Episode 1 val_unseen");
    assert.match(new URL(page.url()).hash, /^#val_unseen\/1$/);
    assert.ok(await page.locator("#map-panels .map-time").count() > 3);
    assert.ok(await page.locator("#map-panels .map-ground").count() > 0);
    assert.equal(await page.locator("#map-panels use[href='#mark-goal']").count(), 1);
    assert.equal(await page.locator("#map-panels use[href='#mark-start']").count(), 1);
    const last = await page.locator("#map-words").textContent();
    assert.match(last, /^Step (\d+) of \1, frame \d+: /);
    await page.locator("#map-step").focus();
    await page.keyboard.press("ArrowLeft");
    const before = await page.locator("#map-words").textContent();
    assert.notEqual(before, last);
    assert.equal(await page.locator("#map-panels use[href='#mark-agent']").count(), 1);
    await page.keyboard.press("Home");
    assert.equal(await page.locator("#map-words").textContent(), "At the start");
    await page.locator("#map-next").click();
    assert.equal(await page.locator("#map-title").textContent(), "Episode 2 val_unseen");
    await page.locator("#map-play").click();
    await page.waitForFunction(() => /^Step [3-9]/.test(document.getElementById("map-words").textContent));
    await page.keyboard.press("Escape");
    assert.ok(!(await dialog.evaluate((node) => node.open)));
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "2");
  },
  async "every mark that maps use is defined, on all kinds of episodes"({ page }) {
    await page.locator(".rows tbody button.open").first().click();
    let floors = 0, contacts = 0;
    for (let k = 0; k < 60; ++k) {
      const found = await page.evaluate(() => {
        const uses = [...document.querySelectorAll("#map-panels use")].map((use) => use.getAttribute("href"));
        const odd = [...document.querySelectorAll("#map-panels *")]
          .filter((node) => [...node.attributes].some((a) => /NaN|undefined|null/.test(a.value)));
        return {
          undefinedMarks: uses.filter((href) => !document.querySelector(href)),
          odd: odd.map((node) => node.outerHTML.slice(0, 200)),
          floors: document.querySelectorAll("#map-panels svg").length,
          contacts: uses.filter((href) => href === "#mark-contact").length,
          legend: [...document.querySelectorAll("#legend li:not([hidden])")].map((item) => item.dataset.key),
        };
      });
      assert.deepEqual(found.undefinedMarks, []);
      assert.deepEqual(found.odd, []);
      assert.equal(found.legend.includes("contact"), found.contacts > 0);
      floors = Math.max(floors, found.floors);
      contacts += found.contacts;
      await page.locator("#map-next").click();
    }
    assert.equal(floors, 2);
    assert.ok(contacts > 0);
    await page.locator("#map-close").click();
  },
};

/// On a comparison of the challenge's size, with hostile texts and 100 maps a split.
const compares = {
  async "texts stay texts on a comparison"({ page }) {
    assert.deepEqual(await page.locator(".names dd").allTextContents(), ["</title><script>1</script>", "<i>b</i> & co"]);
    assert.equal(await page.title(), "<i>b</i> & co against </title><script>1</script> - havln comparison");
    assert.equal(await page.locator("main img, main i, dialog img").count(), 0);
  },
  async "the greatest effects come first, and the table sorts by effect"({ page }) {
    assert.equal(await status(page), "1 to 100 of 1,839 episodes");
    const effects = async () => (await column(page, await columnNumber(page, "Effect")))
      .map((text) => Number(text.replace("−", "-").replace("+", "")));
    assertRising((await effects()).map((effect) => -Math.abs(effect)), "|effect| falling");
    await heading(page, "effect").locator("button").click();
    assertRising(await effects(), "effect");
    assert.ok((await effects())[0] < 0);
    await page.locator(".tabs button", { hasText: "val_seen" }).click();
    assert.equal(await status(page), "1 to 100 of 778 episodes");
  },
  async "filters of a comparison keep what they say"({ page }) {
    const values = async (label) => numbers(await column(page, await columnNumber(page, label)));
    await chip(page, "gained").click();
    for (const n of await values("SR A")) assert.equal(n, 0);
    for (const n of await values("SR B")) assert.equal(n, 1);
    await chip(page, "lost").click();
    for (const n of await values("SR A")) assert.equal(n, 1);
    for (const n of await values("SR B")) assert.equal(n, 0);
    await chip(page, "equal").click();
    for (const text of await column(page, await columnNumber(page, "Effect"))) assert.equal(text, "0");
    const sum = { all: 0 };
    for (const key of ["all", "better", "worse", "equal"]) {
      sum[key] = Number((await chip(page, key).locator("span").textContent()).replace(/,/g, ""));
    }
    assert.equal(sum.better + sum.worse + sum.equal, sum.all);
  },
  async "a map shows both agents, moves both, and says where there is none"({ page }) {
    await page.locator(".rows tbody button.open").first().click();
    const count = (selector) => page.locator(`#map-panels ${selector}`).count();
    assert.ok(await count(".map-way.map-agent-0") > 0);
    assert.ok(await count(".map-way.map-agent-1") > 0);
    assert.equal(await count(".map-time"), 0);
    const legend = (await page.locator("#legend li:not([hidden])").allTextContents()).map((text) => text.trim());
    assert.deepEqual(legend.slice(0, 2), ["Path of A", "Path of B"]);
    await page.locator("#map-step").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator("#map-words").textContent(), /^Step 1 of \d+\. A: frame 0: [A-Z_]+.*; B: frame 0: [A-Z_]+/);
    assert.equal(await count("use[href='#mark-agent']"), 2);
    for (let k = 0; k < 30; ++k) {
      const odd = await page.evaluate(() => [...document.querySelectorAll("#map-panels *")]
        .filter((node) => [...node.attributes].some((a) => /NaN|undefined|null/.test(a.value))
          || (node.hasAttribute("href") && !document.querySelector(node.getAttribute("href"))))
        .map((node) => node.outerHTML.slice(0, 200)));
      assert.deepEqual(odd, []);
      await page.locator("#map-next").click();
    }
    await page.locator("#map-close").click();
    await page.locator(".pager button", { hasText: "Last" }).click();
    await page.locator(".rows tbody button.open").last().click();
    assert.match(await page.locator("dialog .banner").textContent(), /^This page has maps of 100 of 1,839 episodes, those of greatest effect/);
    await page.keyboard.press("Escape");
  },
};

const looks = {
  async "no sideways scrolling"({ page }) {
    const [inner, scroll] = await page.evaluate(() => [window.innerWidth, document.documentElement.scrollWidth]);
    assert.ok(scroll <= inner, `${scroll} px wide in ${inner}`);
  },
  async "text stands out against its ground (WCAG AA)"({ page }) {
    const poor = await page.evaluate(() => {
      const rgb = (text) => text.match(/[\d.]+/g).map(Number);
      const light = (c) => c.slice(0, 3).map((v) => v / 255)
        .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
        .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
      const ground = (node) => {
        for (let n = node; n; n = n.parentElement) {
          const c = rgb(getComputedStyle(n).backgroundColor);
          if (c.length < 4 || c[3] > 0) return c;
        }
        return [255, 255, 255];
      };
      const faults = [];
      for (const node of document.querySelectorAll("body *:not(svg *):not(script):not(option)")) {
        const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
        if (!own || !node.checkVisibility() || node.disabled) continue;
        const a = light(rgb(getComputedStyle(node).color)), b = light(ground(node));
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) faults.push(`${node.tagName}.${node.className} ${ratio.toFixed(2)}: ${node.textContent.slice(0, 40)}`);
      }
      return faults.slice(0, 5);
    });
    assert.deepEqual(poor, []);
  },
  async "no table is wider than the page"({ page }) {
    const wide = await page.evaluate(() => [...document.querySelectorAll(".scroll")]
      .filter((node) => node.scrollWidth > node.clientWidth)
      .map((node) => `${node.getAttribute("aria-label")}: ${node.scrollWidth} in ${node.clientWidth}`));
    assert.deepEqual(wide, []);
  },
  async "a link to an episode opens its map"({ page, file }) {
    await page.goto("about:blank");
    await page.goto(pageUrl(file) + "#demo/7");
    assert.equal(await page.locator("#map-title").textContent(), "Episode 7 demo");
    assert.ok(await page.locator("#map-panels svg").count() >= 1);
    const [inner, scroll] = await page.evaluate(() => [window.innerWidth, document.querySelector("dialog").scrollWidth]);
    assert.ok(scroll <= inner, `dialog ${scroll} px wide in ${inner}`);
  },
};

let failed = 0;
async function run(name, test, opened) {
  try {
    await test(opened);
    assert.deepEqual(opened.faults, [], "console errors, dialogs or requests");
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}

try {
  for (const [name, test] of Object.entries(tests)) {
    const opened = await open(pageUrl("big.html"));
    await run(name, test, opened);
    await opened.context.close();
  }
  for (const [name, test] of Object.entries(compares)) {
    const opened = await open(pageUrl("big_compare.html"));
    await run(name, test, opened);
    await opened.context.close();
  }
  for (const file of ["small.html", "small_compare.html"]) {
    for (const [width, height] of [[1280, 900], [390, 844]]) {
      for (const colorScheme of ["light", "dark"]) {
        for (const [name, test] of Object.entries(looks)) {
          const opened = await open(pageUrl(file), { width, height, colorScheme });
          await run(`${file}, ${width} px, ${colorScheme}: ${name}`, test, { ...opened, file });
          await opened.context.close();
        }
      }
    }
  }
  // The best of five loads: what the page needs, not what else the machine does meanwhile.
  for (const file of ["big.html", "big_compare.html"]) {
    const paints = [];
    for (let k = 0; k < 5; ++k) {
      const opened = await open(pageUrl(file));
      await opened.page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
      paints.push(await opened.page.evaluate(() => ({
        paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
        ready: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
      })));
      await opened.context.close();
    }
    const best = (key) => Math.min(...paints.map((entry) => entry[key]));
    console.log(`${file}, 2,617 episodes, ${(statSync(join(folder, file)).size / 1e6).toFixed(1)} MB: first paint after `
      + `${best("paint").toFixed(0)} ms, table ready after ${best("ready").toFixed(0)} ms`);
    if (best("paint") > paintLimit || best("ready") > paintLimit) {
      ++failed;
      console.log(`FAILED  first paint and table within ${paintLimit} ms`);
    }
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
if (failed > 0) {
  console.log(`${failed} failed`);
  process.exit(1);
}
