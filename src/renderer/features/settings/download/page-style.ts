/** Styles of the exported page: the app's colours and shapes, with system fonts. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#fbf9f6, #131110); --raised: light-dark(#fff, #1c1917);
  --ink: light-dark(#1c1917, #f3efea); --quiet: light-dark(#6b635b, #a69d93); --line: light-dark(#e8e2da, #2c2723);
  --accent: light-dark(#c8321f, #ff5a45); --serif: "Fraunces", Georgia, "Times New Roman", serif; }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 64px; }
@media (prefers-reduced-motion) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 "Inter", system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 1040px; margin: 0 auto; padding: 0 24px; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 16px 32px; padding-top: 56px; padding-bottom: 32px; }
header > div { flex: 1; min-width: 260px; }
.face { width: 112px; height: 112px; border-radius: 50%; object-fit: cover; background: var(--line); }
.letter { display: grid; place-items: center; font: 600 46px/1 var(--serif); color: var(--quiet); text-transform: uppercase; }
h1 { margin: 0 0 4px; font: 500 34px/1.15 var(--serif); }
h2 { margin: 48px 0 16px; font: 500 25px/1.2 var(--serif); }
h3 { margin: 24px 0 8px; font-size: 15px; }
p { margin: 0; white-space: pre-wrap; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.quiet, time { color: var(--quiet); font-size: 13px; }
nav { position: sticky; top: 0; z-index: 1; border-block: 1px solid var(--line); background: var(--paper); }
nav ul { display: flex; overflow-x: auto; white-space: nowrap; gap: 2px 4px; max-width: 1040px; margin: 0 auto; padding: 8px 16px; list-style: none; }
nav a { display: block; padding: 5px 10px; border-radius: 8px; color: var(--ink); font-weight: 500; text-decoration: none; }
nav a:hover { background: var(--line); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(290px, 100%), 1fr)); gap: 20px; }
.card { margin: 0; overflow: hidden; border: 1px solid var(--line); border-radius: 14px; background: var(--raised);
  content-visibility: auto; contain-intrinsic-size: auto 380px; }
.card img, .card video { display: block; width: 100%; max-height: 440px; object-fit: contain; background: #0d0b0a; }
.card figcaption { display: grid; gap: 6px; padding: 14px 16px; }
.card .big { font: 400 19px/1.4 var(--serif); }
.rows { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 14px; background: var(--raised); }
.rows li { padding: 12px 16px; content-visibility: auto; contain-intrinsic-size: auto 64px; }
.rows li + li { border-top: 1px solid var(--line); }
.names { columns: 220px; margin: 0; padding: 0; list-style: none; }
.names li { padding: 3px 0; break-inside: avoid; }
details { margin-bottom: 12px; border: 1px solid var(--line); border-radius: 14px; background: var(--raised); }
summary { padding: 14px 16px; font-weight: 600; cursor: pointer; }
.talk { display: grid; gap: 8px; margin: 0; padding: 4px 16px 18px; list-style: none; }
.talk li { max-width: min(78%, 560px); padding: 9px 13px; border: 1px solid var(--line); border-radius: 14px; justify-self: start;
  content-visibility: auto; contain-intrinsic-size: auto 60px; }
.talk .mine { justify-self: end; border-color: transparent; background: var(--line); }
.talk img { max-width: 100%; border-radius: 8px; }
.none { color: var(--quiet); }
footer { padding-top: 56px; padding-bottom: 56px; color: var(--quiet); font-size: 13px; }
`
