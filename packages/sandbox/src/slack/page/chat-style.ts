/** Holds the style sheet of the channel pages, on top of the one of every page. */
export const chatStyle = `
:root { --line: #8883; --soft: #8882; --quiet: light-dark(#616061, #ababad); --link: light-dark(#1264a3, #4ea8de); }
body { background: light-dark(#fff, #1a1d21); color: light-dark(#1d1c1d, #d1d2d3); }
main { max-width: none; margin: 0; padding: 0; display: grid; grid-template-columns: 13rem minmax(0, 1fr); min-height: calc(100vh - 2.3rem); align-content: start; }
main > h1 { grid-column: 2; margin: 0; padding: .8rem 1.25rem; font-size: 1.05rem; border-bottom: 1px solid var(--line); }
nav { grid-column: 1; grid-row: 1 / span 3; min-height: calc(100vh - 2.3rem); padding: .8rem .6rem; background: light-dark(#3f0e40, #19171d); color: #e8dfe8; }
nav b { display: block; padding: 0 .6rem .6rem; font-size: 1.05rem; }
nav a { display: block; padding: .2rem .6rem; border-radius: .35rem; color: inherit; text-decoration: none; }
nav a[aria-current] { background: #1164a3; color: #fff; }
.messages { grid-column: 2; padding: .5rem 0 2rem; max-width: 52rem; }
.empty { padding: .5rem 1.25rem; }
.message { display: grid; grid-template-columns: 2.25rem minmax(0, 1fr); gap: .7rem; padding: .5rem 1.25rem; }
.message:hover { background: light-dark(#f8f8f8, #222529); }
.face { width: 2.25rem; height: 2.25rem; border-radius: .35rem; display: grid; place-items: center; font-weight: 700; color: #fff; background: #5b6b7a; }
.face.app { background: #2f6f4f; }
.by { font-weight: 700; }
.app-mark { font-size: .65rem; padding: .1rem .25rem; margin-left: .3rem; border-radius: .2rem; background: var(--soft); color: var(--quiet); vertical-align: .1rem; }
time, .quiet { color: var(--quiet); font-size: .8rem; }
.body { overflow-wrap: anywhere; }
.body h2 { margin: .2rem 0 .3rem; font-size: 1.15rem; }
.body p { margin: .25rem 0; }
.body a:not(.button), .quiet a { color: var(--link); text-decoration: none; }
.body a:not(.button):hover { text-decoration: underline; }
.section { display: flex; gap: 1rem; justify-content: space-between; margin: .25rem 0; }
.fields { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .4rem 1rem; margin-top: .3rem; }
.context { color: var(--quiet); font-size: .85rem; display: flex; flex-wrap: wrap; gap: .2rem .6rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; }
.button { display: inline-block; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: .3rem; font-weight: 600; font-size: .85rem; color: inherit; text-decoration: none; }
.button.primary { background: #007a5a; border-color: #007a5a; color: #fff; }
.button.danger { background: #c01f45; border-color: #c01f45; color: #fff; }
.mention { padding: 0 .15rem; border-radius: .2rem; background: light-dark(#e8f5fa, #1d3a4a); color: var(--link); }
.image { padding: .1rem .4rem; border-radius: .25rem; background: var(--soft); font-size: .8rem; }
figure { margin: .3rem 0; }
hr { border: 0; border-top: 1px solid var(--line); margin: .7rem 0; }
blockquote { margin: .2rem 0; padding-left: .7rem; border-left: .25rem solid var(--line); }
code { padding: .05rem .25rem; border: 1px solid var(--line); border-radius: .2rem; color: light-dark(#c01343, #e8912d); background: var(--soft); }
pre { margin: .3rem 0; padding: .5rem; border: 1px solid var(--line); border-radius: .25rem; background: var(--soft); white-space: pre-wrap; font-size: .85rem; }
details { margin-top: .3rem; }
summary { cursor: pointer; color: var(--quiet); font-size: .8rem; }
.revision { margin: .3rem 0; padding-left: .7rem; border-left: 2px solid var(--line); opacity: .8; }
.thread .message { padding: .4rem 0; }
.thread > summary { color: var(--link); font-weight: 600; }
.reactions span { display: inline-block; padding: 0 .4rem; margin: .2rem .3rem 0 0; border: 1px solid var(--line); border-radius: 1rem; font-size: .8rem; }
@media (max-width: 40rem) { main { display: block; } nav { min-height: 0; } }
`
