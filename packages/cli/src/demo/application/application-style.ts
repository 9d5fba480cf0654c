/** Holds the style sheet of the application, for light and dark. */
export const applicationStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif;
  --paper: light-dark(#fbfaf8, #16181b); --card: light-dark(#fff, #1e2125); --ink: light-dark(#1f2328, #e4e6e9);
  --quiet: light-dark(#5d646d, #9aa3ad); --line: light-dark(#e2dfd9, #31363c); --accent: light-dark(#1b6e53, #4cc39a);
  --on-accent: light-dark(#fff, #08261b); --good: light-dark(#1b6e53, #4cc39a); --soft: light-dark(#f2efea, #262a2f);
  --mark: light-dark(#fff3d1, #463a12); }
* { box-sizing: border-box; }
[hidden] { display: none; }
body { margin: 0; background: var(--paper); color: var(--ink); }
.notice { padding: .45rem 1.25rem; background: #7a4b00; color: #fff; font-size: .85rem; }
main { max-width: 68rem; margin: 0 auto; padding: 1.75rem 1.25rem 4rem; display: grid; grid-template-columns: minmax(0, 1fr) 24rem; gap: 1.25rem; align-items: start; }
.card { padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: .8rem; background: var(--card); margin-bottom: 1.25rem; }
.head { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
h1 { margin: 0; font-size: 1.6rem; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { margin: 0 0 .6rem; font-size: 1rem; }
a { color: var(--accent); text-underline-offset: .15em; }
.quiet { color: var(--quiet); }
.pill { padding: .05rem .6rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .8rem; font-weight: 600; color: var(--quiet); white-space: nowrap; }
.pill.good { color: var(--good); }
.announcement { margin: .75rem 0 0; padding: .5rem .8rem; border-radius: .6rem; background: var(--mark); overflow-wrap: anywhere; }
.closed { margin: 2rem 0; font-size: 1.2rem; text-align: center; }
.products { list-style: none; margin: 1rem 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .75rem; }
.products li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem; padding: 1.6rem .8rem .7rem; border-radius: .6rem; background: var(--soft); }
.products span { color: var(--quiet); }
.checkout { margin-top: 1rem; padding: 1rem; border: 1px solid var(--accent); border-radius: .6rem; }
.checkout p { margin: 0 0 .75rem; }
button { font: inherit; font-weight: 600; padding: .55rem 1.6rem; border: 1px solid transparent; border-radius: .6rem; background: var(--accent); color: var(--on-accent); cursor: pointer; }
button:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
ol { margin: 0; padding-left: 1.2rem; }
li + li { margin-top: .4rem; }
.products li + li { margin-top: 0; }
table { width: 100%; border-collapse: collapse; font-size: .85rem; }
th, td { padding: .3rem .4rem; border-top: 1px solid var(--line); text-align: left; font-weight: 400; vertical-align: top; overflow-wrap: anywhere; }
th { white-space: nowrap; }
thead th { border-top: 0; color: var(--quiet); }
.changed { background: var(--mark); }
code { font-size: .9em; }
@media (max-width: 60rem) { main { grid-template-columns: minmax(0, 1fr); } }
`
