/**
 * Holds the style sheet of the channels of every chat, on top of the one of every page. A chat sets the colors `--line`, `--soft`,
 * `--quiet`, `--link`, `--side`, `--side-text`, `--here`, `--app` and the radius of faces.
 */
export const chatStyle = `
main { max-width: none; margin: 0; padding: 0; display: grid; grid-template-columns: 13rem minmax(0, 1fr); min-height: calc(100vh - 2.3rem); align-content: start; }
main > h1 { grid-column: 2; margin: 0; padding: .8rem 1.25rem; font-size: 1.05rem; border-bottom: 1px solid var(--line); }
nav { grid-column: 1; grid-row: 1 / span 3; min-height: calc(100vh - 2.3rem); padding: .8rem .6rem; background: var(--side); color: var(--side-text); }
nav b { display: block; padding: .2rem .6rem .4rem; }
nav a { display: block; padding: .2rem .6rem; border-radius: .3rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a[aria-current] { background: var(--here); }
.messages { grid-column: 2; padding: .5rem 0 2rem; max-width: 54rem; min-width: 0; }
.empty { padding: .5rem 1.25rem; }
.message { display: grid; grid-template-columns: 2.25rem minmax(0, 1fr); gap: .7rem; padding: .5rem 1.25rem; }
.message:hover { background: var(--soft); }
.face { width: 2.25rem; height: 2.25rem; border-radius: var(--face); display: grid; place-items: center; font-weight: 700; color: #fff; background: #5b6b7a; }
.face.app { background: var(--app); }
.by { font-weight: 600; }
.app-mark { font-size: .65rem; font-weight: 600; padding: .1rem .25rem; margin: 0 .3rem; border-radius: .2rem; background: #8882; color: var(--quiet); vertical-align: .1rem; }
time, .quiet { color: var(--quiet); font-size: .8rem; }
.body { overflow-wrap: anywhere; }
.body a:not(.button), .quiet a { color: var(--link); text-decoration: none; }
.body a:not(.button):hover { text-decoration: underline; }
code { padding: .05rem .25rem; border-radius: .2rem; background: var(--soft); }
.mention { padding: 0 .15rem; border-radius: .2rem; background: color-mix(in srgb, var(--link) 15%, transparent); color: var(--link); }
blockquote { margin: .2rem 0; padding-left: .7rem; border-left: .25rem solid var(--line); }
details { margin-top: .3rem; }
summary { cursor: pointer; color: var(--quiet); font-size: .8rem; }
.thread .message { padding: .4rem 0; }
.thread > summary { color: var(--link); font-weight: 600; }
@media (max-width: 40rem) { main { display: block; } nav { min-height: 0; } }
`
