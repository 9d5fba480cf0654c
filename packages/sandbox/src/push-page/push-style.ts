/** Holds the style sheet of the push page, for light and dark. */
export const pushStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif;
  --paper: light-dark(#fbfaf8, #16181b); --card: light-dark(#fff, #1e2125); --ink: light-dark(#1f2328, #e4e6e9);
  --quiet: light-dark(#5d646d, #9aa3ad); --line: light-dark(#e2dfd9, #31363c); --accent: light-dark(#1b6e53, #4cc39a);
  --on-accent: light-dark(#fff, #08261b); --good: light-dark(#1b6e53, #4cc39a); --bad: light-dark(#b3261e, #ff8a80);
  --busy: light-dark(#8a5200, #f0b35a); --soft: light-dark(#f2efea, #262a2f); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); }
.notice { margin: 0; padding: .45rem 1.25rem; background: #7a4b00; color: #fff; font-size: .85rem; }
.away .notice::after { content: ' The sandbox does not answer.'; font-weight: 700; }
main { max-width: 68rem; margin: 0 auto; padding: 1.75rem 1.25rem 4rem; }
h1 { margin: 0; font-size: 1.6rem; letter-spacing: -.01em; }
.lead { margin: .25rem 0 1.5rem; color: var(--quiet); }
h2 { margin: 0 0 .8rem; font-size: 1rem; }
a { color: var(--accent); text-underline-offset: .15em; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; gap: 1.25rem; align-items: start; }
.card { padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: .8rem; background: var(--card); margin-bottom: 1.25rem; }
.choice { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .6rem; margin: 0 0 1rem; padding: 0; border: 0; }
.choice legend { padding: 0; margin-bottom: .6rem; font-weight: 600; }
.choice label { display: flex; gap: .5rem; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: .6rem; cursor: pointer; }
.choice label:hover { background: var(--soft); }
.choice label:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choice input { accent-color: var(--accent); margin: .35rem 0 0; align-self: start; }
.choice b { display: block; }
.choice small { color: var(--quiet); line-height: 1.35; display: block; }
button { font: inherit; color: inherit; cursor: pointer; border: 1px solid var(--line); border-radius: .5rem; background: var(--soft); padding: .35rem .8rem; }
button:hover { border-color: var(--quiet); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.push { font-size: 1.15rem; font-weight: 700; padding: .7rem 2.4rem; border-color: transparent; border-radius: .7rem; background: var(--accent); color: var(--on-accent); }
.push:hover { filter: brightness(1.08); border-color: transparent; }
.act { display: flex; gap: 1rem; align-items: center; }
#said { color: var(--quiet); margin: 0; }
.pushes, .links, .switches { list-style: none; margin: 0; padding: 0; }
.pushes > li { padding: .8rem 0; border-top: 1px solid var(--line); }
.pushes > li:first-child { border-top: 0; padding-top: 0; }
.head { display: flex; flex-wrap: wrap; gap: .5rem; align-items: baseline; }
.head time, .quiet { color: var(--quiet); font-size: .85rem; }
.commits { margin: .25rem 0 .5rem; padding-left: 1.1rem; }
.pill { display: inline-block; padding: .05rem .55rem; border-radius: 1rem; font-size: .8rem; font-weight: 600; border: 1px solid currentColor; }
.good { color: var(--good); } .bad { color: var(--bad); } .busy { color: var(--busy); } .idle { color: var(--quiet); }
.way { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; font-size: .85rem; }
.links li { padding: .2rem 0; display: flex; justify-content: space-between; gap: 1rem; }
.switches li { padding: .45rem 0; border-top: 1px solid var(--line); }
.switches li:first-child { border-top: 0; }
.switches small { display: block; color: var(--quiet); line-height: 1.35; margin-top: .2rem; }
.switches button { width: 100%; text-align: left; }
.switches.wide { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .9rem; margin-bottom: 1rem; }
.switches.wide li { padding: 0; border: 0; }
.head + .quiet { margin: .25rem 0 .5rem; }
.toggle { display: flex; gap: .6rem; align-items: center; }
.toggle::before { content: ''; flex: none; width: 1.9rem; height: 1.05rem; border-radius: 1rem; background: radial-gradient(circle at .53rem 50%, var(--card) .36rem, transparent .4rem) var(--quiet); }
.toggle[aria-pressed=true]::before { background: radial-gradient(circle at 1.37rem 50%, var(--card) .36rem, transparent .4rem) var(--accent); }
code { font-size: .88em; }
@media (max-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 44rem) { .choice { grid-template-columns: minmax(0, 1fr); } }
@media (prefers-reduced-motion: no-preference) { .pill.busy { animation: breathe 1.6s ease-in-out infinite; } @keyframes breathe { 50% { box-shadow: 0 0 0 .2rem color-mix(in srgb, currentColor 22%, transparent); } } }
`
