"use strict";
(() => {
  const PAGE_ROWS = 100;
  const TIME_BINS = 12;
  const MARKS = ["unknown", "human", "static", "both"];
  const CAUSES = ["", " by a person", " by the scene", " by a person and the scene"];
  const ACTIONS = {
    S: "STOP", F: "MOVE_FORWARD", L: "TURN_LEFT", R: "TURN_RIGHT", U: "LOOK_UP", D: "LOOK_DOWN",
  };
  const byId = (id) => document.getElementById(id);
  const readJson = (id) => {
    const script = byId(id);
    return script ? JSON.parse(script.textContent) : null;
  };
  const data = readJson("table-data");
  const near = 2 * data.successDistance;
  /// Does the page compare two agents, A and B, instead of showing one?
  const compares = data.kind === "compare";

  // ---- Elements. Text only ever becomes text nodes and attributes, never markup.
  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value === true) node.setAttribute(name, "");
      else if (value !== false && value !== null) node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null));
    return node;
  }
  const el = (tag, attributes, ...children) =>
    fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  // ---- Numbers as the page shows them.
  const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
  const fixed = (digits) => (value) => (value === null ? "–" : value.toFixed(digits));
  const whole = (value) => (value === null ? "–" : count(value));
  const signed = (digits) => (value) =>
    (value === 0 ? "0" : (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits));

  // ---- Packed integers; see append_packed in report_data.h.
  const code = {};
  [...data.alphabet].forEach((c, i) => { code[c] = i; });
  const ESCAPE = data.alphabet.length - 1;
  const BIAS = ESCAPE / 2;
  function unpack(text) {
    const out = [];
    for (let i = 0; i < text.length; ++i) {
      let value = code[text[i]];
      if (value === ESCAPE) {
        value = 0;
        for (let k = 0; k < 6; ++k) value = value * 64 + code[text[++i]];
        out.push(value - 2 ** 31);
      } else {
        out.push(value - BIAS);
      }
    }
    return out;
  }
  function unpackPlaces(text) {
    const numbers = unpack(text);
    const places = [];
    let floor = 0, x = 0, y = 0;
    for (let i = 0; i + 2 < numbers.length; i += 3) {
      places.push({ floor: (floor += numbers[i]), x: (x += numbers[i + 1]), y: (y += numbers[i + 2]) });
    }
    return places;
  }
  function unpackPerson(text) {
    const numbers = unpack(text);
    const places = [];
    let x = 0, y = 0;
    for (let i = 0; i < numbers.length;) {
      const floor = numbers[i++] - 1;
      places.push(floor < 0 ? null : { floor, x: (x += numbers[i++]), y: (y += numbers[i++]) });
    }
    return places;
  }

  // ---- The table.
  const SCORE_COLUMNS = [
    { key: "id", label: "Episode", text: true, tip: "Episode id; opens its map" },
    { key: "scene", label: "Scene", text: true, wide: true, show: (i) => data.scenes[i] },
    { key: "outcome", label: "Outcome", text: true, show: (i) => data.outcomes[i] },
    { key: "ne", label: "NE", unit: "m", show: fixed(2), tip: "Distance to the nearest goal at the end" },
    { key: "start", label: "Distance", unit: "m", wide: true, show: fixed(1), tip: "Distance from the start to the nearest goal" },
    { key: "pl", label: "Path", unit: "m", wide: true, show: fixed(1), tip: "Length of the agent's path" },
    { key: "steps", label: "Steps", wide: true, show: whole, tip: "Actions, STOP included" },
    { key: "blocked", label: "Blocked", wide: true, show: whole, people: true, tip: "Blocked steps: the collisions of the released reading" },
    { key: "contact", label: "Contact", wide: true, show: whole, people: true, tip: "Blocked within 1 m of a person: the collisions of the contact reading" },
    { key: "baseline", label: "Baseline", wide: true, show: whole, people: true, tip: "Collisions that cannot be avoided, by the ground truth" },
    { key: "excess", label: "Excess", show: whole, people: true, tip: "Collisions above the baseline, by the headline's reading" },
    { key: "spl", label: "SPL", wide: true, show: fixed(2), tip: "Success weighted by path length" },
    { key: "ndtw", label: "nDTW", wide: true, show: fixed(2), tip: "Likeness to the reference path" },
  ];
  /// A quantity of A and of B, side by side.
  const both = (key, label, rest) => ["A", "B"].map((agent) =>
    ({ key: key + agent, label: `${label} ${agent}`, ...rest, tip: `${rest.tip}, ${agent}` }));
  const COMPARE_COLUMNS = [
    { key: "id", label: "Episode", text: true, tip: "Episode id; opens its map" },
    { key: "scene", label: "Scene", text: true, wide: true, show: (i) => data.scenes[i] },
    { key: "outcome", label: "B against A", text: true, show: (i) => data.outcomes[i] },
    { key: "effect", label: "Effect", show: signed(4), tip: `What A's ${data.effectOn} would gain had A done here as B did` },
    ...both("ne", "NE", { unit: "m", wide: true, show: fixed(2), tip: "Distance to the nearest goal at the end" }),
    ...both("success", data.people ? "SR" : "Success", { wide: true, show: whole, tip: "Success, as SR counts it" }),
    ...both("excess", "Excess", { wide: true, show: whole, tip: "Collisions above the baseline" }),
    ...both("steps", "Steps", { wide: true, show: whole, tip: "Actions, STOP included" }),
    ...both("pl", "Path", { unit: "m", detail: true, show: fixed(1), tip: "Length of the agent's path" }),
  ];
  const FACTS = (compares ? COMPARE_COLUMNS : SCORE_COLUMNS)
    .filter((column) => !column.people || data.people)
    .filter((column) => data.splits.some((split) => split[column.key] && split[column.key].some((v) => v !== null)));
  const COLUMNS = FACTS.filter((column) => !column.detail);

  const COMPARE_FILTERS = [
    ["all", "All", () => true],
    ["gained", "Success gained", (s, i) => s.outcome[i] === 0],
    ["lost", "Success lost", (s, i) => s.outcome[i] === 4],
    ["better", "B better", (s, i) => s.effect[i] > 0],
    ["worse", "B worse", (s, i) => s.effect[i] < 0],
    ["equal", "Equal", (s, i) => s.effect[i] === 0],
    ["both", "Both succeed", (s, i) => s.successA[i] === 1 && s.successB[i] === 1],
    ["neither", "Neither succeeds", (s, i) => s.successA[i] === 0 && s.successB[i] === 0],
  ];
  const SCORE_FILTERS = [
    ["all", "All", () => true],
    ["reached", "Reached", (s, i) => s.outcome[i] === 0],
    ["collided", "Reached, but collided", (s, i) => s.outcome[i] === 1],
    ["near", "Failed near the goal", (s, i) => !s.success[i] && s.ne[i] !== null && s.ne[i] < near],
    ["passed", "Passed the goal", (s, i) => !s.success[i] && s.oracle[i]],
    ["hit", "Hit a person", (s, i) => data.people && s.contact[i] > 0],
    ["excess", "Above the baseline", (s, i) => data.people && s.excess[i] > 0],
    ["steps", "Ran out of steps", (s, i) => !s.stopped[i]],
    ["unreachable", "Goal out of reach", (s, i) => s.ne[i] === null],
  ];
  const FILTERS = compares ? COMPARE_FILTERS : SCORE_FILTERS;
  const FILTER_TIPS = {
    near: `No success, but less than ${near} m from a goal at the end`,
    passed: `No success, but less than ${data.successDistance} m from a goal on the way`,
  };

  const state = { split: 0, filter: "all", scene: "", words: "", sort: "", up: true, page: 0, rows: [] };
  const current = () => data.splits[state.split];

  /// Ids that are numbers sort as numbers; absent values come last either way.
  function sortKey(column, split, i) {
    const value = split[column.key][i];
    if (column.key === "scene") return data.scenes[value];
    if (column.key === "id" && /^\d{1,15}$/.test(value)) return Number(value);
    return value;
  }
  function compare(a, b) {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  /// What the search looks into. Without a data root, a page knows ids alone.
  function wordsOf(split, i) {
    return split.scene ? `${split.id[i]} ${data.scenes[split.scene[i]]} ${split.text[i]}` : split.id[i];
  }
  function selectRows() {
    const split = current();
    const test = FILTERS.find((filter) => filter[0] === state.filter)[2];
    const words = state.words.toLowerCase();
    const rows = [];
    for (let i = 0; i < split.rows; ++i) {
      if (!test(split, i)) continue;
      if (state.scene !== "" && split.scene[i] !== Number(state.scene)) continue;
      if (words && !wordsOf(split, i).toLowerCase().includes(words)) continue;
      rows.push(i);
    }
    const column = COLUMNS.find((c) => c.key === state.sort);
    if (column) {
      const keys = rows.map((i) => [sortKey(column, split, i), i]);
      keys.sort((a, b) => {
        if (a[0] === null || b[0] === null) return (a[0] === null) - (b[0] === null) || a[1] - b[1];
        return (state.up ? compare(a[0], b[0]) : compare(b[0], a[0])) || a[1] - b[1];
      });
      state.rows = keys.map((pair) => pair[1]);
    } else {
      state.rows = rows;
    }
  }

  const head = el("tr");
  const body = el("tbody");
  const chips = el("div", { class: "chips", role: "group", "aria-label": "Show episodes" });
  const status = el("p", { class: "status", role: "status" });
  const pager = el("nav", { class: "pager", "aria-label": "Pages of the table" });
  const sceneSelect = el("select", { id: "scene", onchange: (event) => change({ scene: event.target.value }) });
  const search = el("input", {
    type: "search", id: "search", placeholder: data.scenes.length ? "id, scene or instruction" : "id", autocomplete: "off",
    oninput: (event) => change({ words: event.target.value.trim() }),
  });

  function drawHead() {
    head.replaceChildren(...COLUMNS.map((column) => {
      const sorted = state.sort === column.key;
      return el("th", {
        scope: "col", class: (column.text ? "" : "number") + (column.wide ? " wide" : ""),
        "aria-sort": sorted ? (state.up ? "ascending" : "descending") : "none",
      }, el("button", {
        type: "button", title: column.tip || null, "data-sort": column.key,
        onclick: () => {
          change(sorted ? { up: !state.up } : { sort: column.key, up: true });
          head.querySelector(`[data-sort="${column.key}"]`).focus();
        },
      }, column.label, column.unit ? el("span", { class: "unit" }, " " + column.unit) : null,
      el("span", { class: "arrow", "aria-hidden": "true" }, sorted ? (state.up ? "▲" : "▼") : "")));
    }));
  }
  function swatch(outcome) {
    return svg("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" },
      svg("rect", { class: `part-${compares ? "change" : "outcome"}-${outcome}`, width: 10, height: 10 }));
  }
  function drawCell(column, split, i) {
    const value = split[column.key][i];
    const text = column.show ? column.show(value) : String(value);
    const attributes = { class: (column.text ? "" : "number") + (column.wide ? " wide" : "") };
    if (column.key === "id") {
      return el("th", { scope: "row" },
        el("button", { type: "button", class: "open", "data-episode": text }, text));
    }
    if (column.key === "outcome") return el("td", attributes, swatch(value), text);
    return el("td", attributes, text);
  }
  function drawRows() {
    const split = current();
    const first = state.page * PAGE_ROWS;
    const shown = state.rows.slice(first, first + PAGE_ROWS);
    body.replaceChildren(...shown.map((i) => el("tr", { "data-row": i },
      ...COLUMNS.map((column) => drawCell(column, split, i)))));
    const all = state.rows.length;
    status.textContent = all === 0 ? "No episode fits." :
      `${count(first + 1)} to ${count(first + shown.length)} of ${count(all)}` +
      (all === split.rows ? " episodes" : ` chosen out of ${count(split.rows)} episodes`);
  }
  function drawPager() {
    const pages = Math.max(1, Math.ceil(state.rows.length / PAGE_ROWS));
    const button = (label, page, enabled) => el("button", {
      type: "button", disabled: !enabled,
      onclick: () => { change({ page }); byId("episodes").scrollIntoView(); },
    }, label);
    pager.hidden = pages === 1;
    pager.replaceChildren(
      button("First", 0, state.page > 0),
      button("Previous", state.page - 1, state.page > 0),
      el("span", {}, `Page ${state.page + 1} of ${pages}`),
      button("Next", state.page + 1, state.page + 1 < pages),
      button("Last", pages - 1, state.page + 1 < pages));
  }
  function drawChips() {
    const split = current();
    const indices = Array.from({ length: split.rows }, (_, i) => i);
    const shown = [];
    for (const [key, label, test] of FILTERS) {
      const fits = indices.filter((i) => test(split, i)).length;
      if (fits === 0 && key !== "all" && key !== state.filter) continue;
      shown.push(el("button", {
        type: "button", "aria-pressed": String(state.filter === key), "data-filter": key,
        title: FILTER_TIPS[key] || null,
        onclick: () => {
          change({ filter: key });
          chips.querySelector(`[data-filter="${key}"]`).focus();
        },
      }, label, el("span", {}, count(fits))));
    }
    chips.replaceChildren(...shown);
  }
  function drawScenes() {
    const used = [...new Set(current().scene || [])].sort((a, b) => a - b);
    sceneSelect.replaceChildren(el("option", { value: "" }, `All ${used.length}`),
      ...used.map((i) => el("option", { value: i }, data.scenes[i])));
    sceneSelect.value = state.scene;
  }
  function change(what) {
    Object.assign(state, { page: 0 }, what);
    selectRows();
    if ("split" in what) drawScenes();
    if ("split" in what || "filter" in what) drawChips();
    if ("split" in what || "sort" in what || "up" in what) drawHead();
    drawRows();
    drawPager();
  }
  function showSplit(index) {
    document.querySelectorAll("section.split").forEach((section, k) => { section.hidden = k !== index; });
    document.querySelectorAll(".tabs button").forEach((button, k) => {
      button.setAttribute("aria-pressed", String(k === index));
    });
    change({ split: index, filter: "all", scene: "" });
  }
  function drawTable() {
    byId("table").append(
      el("div", { class: "filters" }, chips,
        el("label", { for: "search" }, "Search ", search),
        data.scenes.length ? el("label", { for: "scene" }, "Scene ", sceneSelect) : null),
      status,
      el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of episodes" },
        el("table", { class: "rows" }, el("thead", {}, head), body)),
      pager);
    body.addEventListener("click", (event) => {
      const row = event.target.closest("tr[data-row]");
      if (row && !String(window.getSelection())) openMap(Number(row.dataset.row));
    });
    const tabs = document.querySelector(".tabs");
    if (data.splits.length > 1) {
      tabs.hidden = false;
      tabs.append(...data.splits.map((split, k) => el("button", {
        type: "button", "aria-pressed": "false", onclick: () => showSplit(k),
      }, split.name, el("span", {}, split.headline))));
    }
    showSplit(data.first);
  }

  // ---- Maps.
  const scenes = {};
  function sceneOf(index) {
    if (!(index in scenes)) {
      const scene = readJson(`scene-${index}`);
      if (scene) {
        const people = [];
        for (let i = 0; i < scene.people.length; i += 3) {
          people.push({ name: scene.people[i], places: unpackPerson(scene.people[i + 2]) });
        }
        scene.people = people;
      }
      scenes[index] = scene;
    }
    return scenes[index];
  }
  const mapsBySplit = {};
  function episodeMap(splitIndex, i) {
    if (!(splitIndex in mapsBySplit)) mapsBySplit[splitIndex] = readJson(`maps-${splitIndex}`);
    const packed = (mapsBySplit[splitIndex] || [])[i];
    if (!packed) return null;
    const map = {
      agents: packed.t.map(unpackAgent), reference: unpackPlaces(packed.r), goals: unpackPlaces(packed.g),
      views: [], crossings: [],
    };
    map.steps = Math.max(...map.agents.map((agent) => agent.path.length - 1));
    for (let k = 0; k < packed.v.length; k += 5) {
      const [floor, x0, y0, x1, y1] = packed.v.slice(k, k + 5);
      map.views.push({ floor, x0, y0, x1, y1 });
    }
    const crossings = unpack(packed.x);
    for (let k = 0; k < crossings.length; k += 2) {
      map.crossings.push({ x: crossings[k], y: crossings[k + 1] });
    }
    return map;
  }
  function unpackAgent(packed, index) {
    const agent = {
      path: unpackPlaces(packed.p), headings: unpack(packed.h).map((h) => (h + 36) * 5),
      steps: unpack(packed.k), frames: [], actions: packed.a || "", stopped: packed.s === 1,
      blocks: [], contacts: [], name: compares ? "AB"[index] : "",
    };
    agent.class = compares ? ` map-agent-${index}` : "";
    let frame = 0;
    for (const delta of unpack(packed.f)) agent.frames.push(frame += delta);
    const blocks = unpack(packed.b);
    for (let k = 0, step = 0; k < blocks.length; k += 2) {
      step += blocks[k];
      agent.blocks.push({ ...agent.path[step], ...cause(agent.steps[step - 1]), count: blocks[k + 1] });
    }
    // A log of positions alone knows no headings: they are all the same.
    agent.turns = agent.headings.some((heading) => heading !== agent.headings[0]);
    const contacts = unpack(packed.c);
    for (let k = 0; k < contacts.length; k += 2) {
      agent.contacts.push({ step: contacts[k], person: contacts[k + 1], frame: agent.frames[contacts[k] - 1] });
    }
    return agent;
  }
  /// What blocked a step, from its number in the data (1 + 2 * mark + contact).
  const cause = (number) => ({ mark: (number - 1) >> 1, contact: (number - 1) % 2 === 1 });

  const line = (classes, points) => points.length < 2 ? null : svg("path", {
    class: `map-line ${classes}`, d: "M" + points.map((p) => `${p.x} ${p.y}`).join("L"),
  });

  /// One floor of one episode: a drawing in centimetres, u of them to a pixel.
  class Panel {
    constructor(map, scene, view, u) {
      Object.assign(this, { map, scene, view, u, past: svg("g"), live: svg("g"), overview: svg("g") });
      const width = view.x1 - view.x0, height = view.y1 - view.y0;
      this.root = svg("svg", {
        class: "map live", viewBox: `${view.x0} ${view.y0} ${width} ${height}`,
        width: Math.round(width / u), height: Math.round(height / u), role: "img",
        "aria-label": "Map seen from above; the legend below explains its marks",
      });
      this.drawGround();
      this.drawTracks();
      this.drawReference();
      this.root.append(this.overview, this.past, this.live);
      this.drawOverview();
      this.root.append(svg("rect", { class: "map-frame", x: view.x0, y: view.y0, width, height }));
    }
    here(place) { return place !== null && place !== undefined && place.floor === this.view.floor; }
    mark(name, at, degrees, classes) {
      const turn = degrees ? ` rotate(${degrees})` : "";
      return svg("use", { class: (classes || "").trim() || null, href: `#mark-${name}`, transform: `translate(${at.x} ${at.y}) scale(${this.u})${turn}` });
    }
    text(at, dx, dy, words, classes) {
      return svg("text", {
        class: `map-text map-halo ${classes || ""}`,
        transform: `translate(${at.x} ${at.y}) scale(${this.u}) translate(${dx} ${dy})`,
      }, words);
    }
    circle(classes, at, radius) { return svg("circle", { class: classes, cx: at.x, cy: at.y, r: radius }); }

    drawGround() {
      const view = this.view;
      this.root.append(svg("rect", {
        class: "map-paper", x: view.x0, y: view.y0, width: view.x1 - view.x0, height: view.y1 - view.y0,
      }));
      const ground = this.scene.floors[view.floor].ground;
      for (let k = 0; k < ground.length; k += 2) {
        this.root.append(svg("path", { class: `map-ground map-ground-${ground[k]}`, d: ground[k + 1] }));
      }
    }
    drawTracks() {
      const touched = new Set(this.map.agents.flatMap((agent) => agent.contacts.map((contact) => contact.person)));
      this.scene.people.forEach((person, k) => {
        let piece = [];
        const end = () => {
          const track = line("map-track", piece);
          if (track) this.root.append(track);
          piece = [];
        };
        for (const place of person.places) {
          if (this.here(place)) piece.push(place);
          else end();
        }
        end();
        const first = person.places.find((place) => this.here(place));
        if (first && !touched.has(k)) this.overview.append(this.mark("person", first));
      });
    }
    drawReference() {
      const points = this.map.reference;
      for (let k = 1; k < points.length; ++k) {
        if (!this.here(points[k - 1]) && !this.here(points[k])) continue;
        this.root.append(line("map-reference", [points[k - 1], points[k]]));
      }
      for (const point of points) if (this.here(point)) this.root.append(this.mark("waypoint", point));
      for (const goal of this.map.goals) {
        if (this.here(goal)) this.root.append(this.circle("map-goal-circle", goal, data.successDistance * 100));
      }
    }
    drawOverview() {
      const envelopes = [], people = [];
      for (const agent of this.map.agents) {
        for (const contact of agent.contacts) {
          const place = this.scene.people[contact.person].places[contact.frame];
          if (!this.here(place)) continue;
          envelopes.push(this.circle("map-envelope", place, 100),
            line("map-touch", [place, agent.path[contact.step]]));
          people.push(this.mark("person", place));
        }
      }
      this.overview.prepend(...envelopes, ...people);
      this.drawMarks();
    }
    drawMarks() {
      const marks = svg("g");
      for (const mark of [0, 2, 3, 1]) {
        for (const block of this.map.agents.flatMap((agent) => agent.blocks)) {
          if (block.mark !== mark || !this.here(block)) continue;
          marks.append(this.mark(MARKS[mark], block));
          if (block.contact) marks.append(this.mark("contact", block));
        }
      }
      marks.append(...this.blockCounts());
      for (const point of this.map.crossings) marks.append(this.mark("stairs", point));
      const { path, headings } = this.map.agents[0];
      if (this.here(path[0])) marks.append(this.mark("start", path[0], headings[0]));
      for (const agent of this.map.agents) {
        const last = agent.path[agent.path.length - 1];
        if (this.here(last)) marks.append(this.mark(agent.stopped ? "stop" : "end", last, 0, agent.class));
      }
      // The star, whose arms leave room, on top of the ends that hit it.
      for (const goal of this.map.goals) if (this.here(goal)) marks.append(this.mark("goal", goal));
      this.root.insertBefore(marks, this.live);
    }
    /// How often steps were blocked at a mark, the greatest counts first; none on top of another.
    blockCounts() {
      const blocks = this.map.agents.flatMap((agent) => agent.blocks)
        .filter((block) => block.count > 2 && this.here(block)).sort((a, b) => b.count - a.count);
      const placed = [];
      for (const block of blocks) {
        const hidden = placed.some((other) => Math.abs(other.y - block.y) < 10 * this.u && Math.abs(other.x - block.x) < 26 * this.u);
        if (!hidden) placed.push(block);
      }
      return placed.map((block) => this.text(block, 8, 4, `×${block.count}`, "map-count"));
    }
    /// The paths, what lies after step `now` faint: one agent's in its time colours, two agents' in
    /// one colour each.
    drawPaths(now) {
      const pieces = this.map.agents.flatMap((agent) => this.pieces(agent, now));
      this.past.replaceChildren(
        ...pieces.map((piece) => line("map-casing", piece.points)),
        ...pieces.map((piece) => line(
          (compares ? `map-way${piece.agent.class}` : `map-time map-t${piece.bin}`) + (piece.later ? " map-later" : ""), piece.points)),
        ...this.map.agents.flatMap((agent, k) => this.stepNumbers(agent, k)));
    }
    pieces(agent, now) {
      const { path } = agent;
      const steps = path.length - 1;
      const pieces = [];
      let last = null;
      for (let k = 1; k <= steps; ++k) {
        const from = path[k - 1], to = path[k];
        if (!this.here(from) && !this.here(to)) { last = null; continue; }
        if (from.x === to.x && from.y === to.y) continue;
        const bin = compares ? 0 : Math.floor((k - 1) * TIME_BINS / steps), later = k > now;
        if (!last || last.bin !== bin || last.later !== later) {
          last = { agent, bin, later, points: [from] };
          pieces.push(last);
        }
        last.points.push(to);
      }
      return pieces;
    }
    /// B's numbers stand on the other side of its path than A's.
    stepNumbers(agent, index) {
      const { path } = agent;
      const every = [5, 10, 20, 50, 100].find((n) => path.length - 1 <= n * 6) || Math.ceil(path.length / 6);
      const out = [];
      let last = null;
      for (let k = every; k + 1 < path.length; k += every) {
        if (!this.here(path[k])) continue;
        if (last && Math.hypot(path[k].x - last.x, path[k].y - last.y) < 30 * this.u) continue;
        last = path[k];
        const [dx, dy] = index === 0 ? [-6 - 6.5 * String(k).length, -5] : [6, 14];
        out.push(svg("circle", { class: `map-step${agent.class}`, cx: last.x, cy: last.y, r: 2 * this.u }),
          this.text(last, dx, dy, String(k), agent.class));
      }
      return out;
    }
    /// The agents at step `now`, one that has ended where it ended, and people in the frame in force.
    drawLive(now) {
      const { agents, steps } = this.map;
      this.drawPaths(now);
      this.overview.classList.toggle("map-faint", now < steps);
      this.live.replaceChildren();
      if (now >= steps) return;
      const walking = agents.filter((agent) => now < agent.path.length);
      for (const frame of new Set(walking.map((agent) => agent.frames[Math.max(0, now - 1)] || 0))) {
        for (const person of this.scene.people) {
          const place = person.places[frame];
          if (!this.here(place)) continue;
          this.live.append(this.circle("map-envelope", place, 100), this.mark("person", place));
        }
      }
      for (const agent of agents) {
        const step = Math.min(now, agent.path.length - 1), at = agent.path[step];
        if (!this.here(at)) continue;
        this.live.append(agent.turns ? this.mark("agent", at, agent.headings[step], agent.class)
          : this.mark("place", at, 0, agent.class));
      }
    }
  }

  const dialog = byId("map");
  const mapBody = byId("map-body");
  const legend = byId("legend");
  const view = { row: 0, now: 0, whole: false, panels: [], map: null, scene: null, timer: 0, from: null };

  function legendKeys(map, scene) {
    const keys = new Set(["start", scene.cutOut ? "ground-cut" : "ground", ...(compares ? ["path-a", "path-b"] : [])]);
    for (const agent of map.agents) keys.add(agent.stopped ? "stop" : "end");
    if (map.goals.length) keys.add("goal");
    if (map.reference.length > 1) keys.add("reference");
    if (map.crossings.length) keys.add("stairs");
    for (const block of map.agents.flatMap((agent) => agent.blocks)) {
      keys.add(MARKS[block.mark]);
      if (block.contact) keys.add("contact");
    }
    if (map.agents.some((agent) => agent.contacts.length)) keys.add("envelope");
    const floors = new Set(map.views.map((v) => v.floor));
    if (scene.people.some((person) => person.places.some((p) => p && floors.has(p.floor)))) keys.add("person");
    for (const floor of floors) {
      if (scene.floors[floor].ground.some((tint, k) => k % 2 === 0 && tint > 0)) keys.add("islands");
    }
    return keys;
  }
  function drawScale(scale, steps) {
    let metres = 1;
    for (const m of [2, 5, 10, 20, 50, 100]) if (m * 100 * scale <= 120) metres = m;
    const bar = metres * 100 * scale;
    const root = svg("svg", { class: "map scale", width: "100%", height: 20, "aria-hidden": "true" },
      svg("path", { class: "map-scale", d: `M1 6v6h${bar.toFixed(1)}v-6` }),
      svg("text", { class: "map-text", x: bar + 8, y: 13 }, `${metres} m`));
    if (compares) return root;  // their colours do not tell time
    const x = Math.max(180, bar + 60);
    root.append(svg("text", { class: "map-text", x, y: 13 }, "step 0"));
    for (let bin = 0; bin < TIME_BINS; ++bin) {
      root.append(svg("path", { class: `map-time-bar map-t${bin}`, d: `M${x + 40 + bin * 9} 9h9.4` }));
    }
    root.append(svg("text", { class: "map-text", x: x + 46 + TIME_BINS * 9, y: 13 }, String(steps)));
    return root;
  }
  function shownViews() {
    if (!view.whole) return view.map.views.map((v) => ({ ...v }));
    return view.map.views.map((v) => {
      const [x0, y0, x1, y1] = view.scene.floors[v.floor].box;
      if (x0 > x1) return v;
      return { floor: v.floor, x0: Math.min(v.x0, x0 - 50), y0: Math.min(v.y0, y0 - 50),
        x1: Math.max(v.x1, x1 + 50), y1: Math.max(v.y1, y1 + 50) };
    });
  }
  /// Shows more of the floors where a row of panels leaves room of that width [cm].
  function widen(views, room) {
    for (const v of views) {
      const [x0, , x1] = view.scene.floors[v.floor].box;
      const more = Math.max(0, room) / views.length / 2;
      v.x0 = Math.min(v.x0, Math.max(x0 - 50, v.x0 - more));
      v.x1 = Math.max(v.x1, Math.min(x1 + 50, v.x1 + more));
    }
  }
  function drawPanels() {
    const holder = byId("map-panels");
    const views = shownViews();
    const widths = views.map((v) => v.x1 - v.x0);
    const stacked = holder.clientWidth < 640;
    const room = stacked ? holder.clientWidth / Math.max(...widths)
      : (holder.clientWidth - 12 * (views.length - 1)) / widths.reduce((a, b) => a + b);
    const high = Math.max(300, window.innerHeight * 0.58);
    const scale = Math.min(room, high / Math.max(...views.map((v) => v.y1 - v.y0)), 1.2);
    if (!stacked) widen(views, holder.clientWidth / scale - widths.reduce((a, b) => a + b) - 12 * views.length / scale);
    view.panels = views.map((v) => new Panel(view.map, view.scene, v, 1 / scale));
    holder.replaceChildren(...view.panels.map((panel, k) => el("figure", {},
      views.length > 1 ? el("figcaption", {},
        `Floor ${views[k].floor + 1} of ${view.scene.floors.length} (y = ${view.scene.floors[views[k].floor].level.toFixed(1)} m)`) : null,
      panel.root)));
    byId("map-scale").replaceChildren(drawScale(scale, view.map.steps));
    const keys = legendKeys(view.map, view.scene);
    for (const item of legend.children) item.hidden = !keys.has(item.dataset.key);
    drawNow();
  }
  function stepWords(now) {
    const { map } = view;
    if (now === 0) return "At the start";
    if (!compares) return `Step ${now} of ${map.steps}, ${agentWords(map.agents[0], now)}`;
    return `Step ${now} of ${map.steps}. ` + map.agents.map((agent) => `${agent.name}: ` +
      (now < agent.path.length ? agentWords(agent, now) : `ended at step ${agent.path.length - 1}`)).join("; ");
  }
  function agentWords(agent, now) {
    const number = agent.steps[now - 1];
    let words = `frame ${agent.frames[now - 1]}`;
    if (agent.actions[now - 1]) words += `: ${ACTIONS[agent.actions[now - 1]]}`;
    if (number > 0) {
      const { mark, contact } = cause(number);
      words += `, blocked${CAUSES[mark]}${contact ? " (contact)" : ""}`;
    }
    return words;
  }
  function drawNow() {
    for (const panel of view.panels) panel.drawLive(view.now);
    byId("map-step").value = view.now;
    byId("map-words").textContent = stepWords(view.now);
  }
  function stop() {
    window.clearInterval(view.timer);
    view.timer = 0;
    const button = byId("map-play");
    if (button) button.textContent = "Play";
  }
  function play() {
    if (view.timer) { stop(); return; }
    const { steps } = view.map;
    if (view.now >= steps) view.now = 0;
    byId("map-play").textContent = "Pause";
    view.timer = window.setInterval(() => {
      view.now = Math.min(steps, view.now + 1);
      drawNow();
      if (view.now >= steps) stop();
    }, 70);
  }
  function facts(split, i) {
    const list = el("dl", { class: "facts" });
    for (const column of FACTS) {
      if (column.key === "id") continue;
      const value = split[column.key][i];
      const text = column.show(value);
      list.append(el("div", {}, el("dt", {}, column.label),
        el("dd", {}, column.key === "outcome" ? swatch(value) : null, text + (column.unit && value !== null ? ` ${column.unit}` : ""))));
    }
    return list;
  }
  function mapControls() {
    const { steps } = view.map;
    return el("div", { class: "time" },
      el("button", { type: "button", id: "map-play", onclick: play }, "Play"),
      el("label", { class: "hidden", for: "map-step" }, "Step"),
      el("input", {
        type: "range", id: "map-step", min: 0, max: steps, value: view.now, "aria-describedby": "map-words",
        oninput: (event) => { stop(); view.now = Number(event.target.value); drawNow(); },
      }),
      el("button", {
        type: "button", "aria-pressed": String(view.whole),
        onclick: (event) => {
          view.whole = !view.whole;
          event.target.setAttribute("aria-pressed", String(view.whole));
          drawPanels();
        },
      }, "Whole floor"),
      el("output", { id: "map-words", for: "map-step" }));
  }
  function step(by) {
    const at = state.rows.indexOf(view.row) + by;
    if (at < 0 || at >= state.rows.length) return;
    showMap(state.rows[at]);
    byId(by < 0 ? "map-previous" : "map-next").focus();
  }
  function showMap(i) {
    stop();
    const split = current();
    const at = state.rows.indexOf(i);
    view.row = i;
    view.map = episodeMap(state.split, i);
    view.scene = view.map === null ? null : sceneOf(split.scene[i]);
    const drawn = view.map !== null && view.scene !== null;
    if (drawn) view.now = view.map.steps;
    mapBody.replaceChildren(
      el("div", { class: "map-head" },
        el("h2", { id: "map-title" }, `Episode ${split.id[i]}`, el("small", {}, ` ${split.name}`)),
        el("div", { class: "buttons" },
          el("button", { type: "button", id: "map-previous", disabled: at <= 0, onclick: () => step(-1) }, "Previous"),
          el("button", { type: "button", id: "map-next", disabled: at + 1 >= state.rows.length, onclick: () => step(1) }, "Next"),
          el("button", { type: "button", id: "map-close", onclick: () => dialog.close() }, "Close"))),
      facts(split, i),
      el("div", { class: "map-layout" },
        drawn ? el("div", {}, el("div", { id: "map-panels" }), el("div", { id: "map-scale" }), mapControls())
          : el("p", { class: "banner" }, split.noMap || "The scene of this episode has no map here."),
        el("div", { class: "map-side" },
          split.text && split.text[i] ? el("p", { class: "instruction" }, split.text[i]) : null, legend)));
    legend.hidden = !drawn;
    if (drawn) drawPanels();
    setHash(`${encodeURIComponent(split.name)}/${encodeURIComponent(split.id[i])}`);
  }
  function openMap(i) {
    view.from = document.activeElement;
    if (!dialog.open) dialog.showModal();
    showMap(i);
    byId("map-close").focus();
  }
  function setHash(text) {
    try {
      window.history.replaceState(null, "", "#" + text);
    } catch (error) {
      // A sandboxed frame may not change its address; the page works without.
    }
  }
  dialog.addEventListener("close", () => {
    stop();
    setHash("");
    const row = body.querySelector(`tr[data-row="${view.row}"] button`);
    if (row) row.focus();
    else if (view.from) view.from.focus();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  window.addEventListener("resize", () => {
    if (dialog.open && view.map && view.scene) drawPanels();
  });
  function openFromHash() {
    const parts = window.location.hash.slice(1).split("/");
    if (parts.length !== 2) return;
    let names;
    try {
      names = parts.map(decodeURIComponent);
    } catch (error) {
      return;  // not written by this page
    }
    const index = data.splits.findIndex((split) => split.name === names[0]);
    const row = index < 0 ? -1 : data.splits[index].id.indexOf(names[1]);
    if (row < 0) return;
    showSplit(index);
    openMap(row);
  }

  drawTable();
  openFromHash();
})();
