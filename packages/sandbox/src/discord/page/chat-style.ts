/** Holds the style sheet of the channel pages, on top of the one of every page. */
export const chatStyle = `
:root { --line: light-dark(#e3e5e8, #3f4147); --quiet: light-dark(#5c5e66, #b5bac1); --link: light-dark(#0068e0, #00a8fc); --embed: light-dark(#f2f3f5, #2b2d31); --code: light-dark(#e3e5e8, #1e1f22); }
body { background: light-dark(#fff, #313338); color: light-dark(#2e3338, #dbdee1); font: 16px/1.375 "gg sans", "Noto Sans", "Helvetica Neue", Helvetica, Arial, sans-serif; }
main { max-width: none; margin: 0; padding: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); min-height: calc(100vh - 2.3rem); align-content: start; }
main > h1 { grid-column: 2; margin: 0; padding: .75rem 1rem; font-size: 1rem; border-bottom: 1px solid var(--line); }
nav { grid-column: 1; grid-row: 1 / span 3; min-height: calc(100vh - 2.3rem); padding: .75rem .5rem; background: var(--embed); color: var(--quiet); }
nav b { display: block; padding: 0 .5rem .75rem; color: light-dark(#060607, #f2f3f5); }
nav a { display: block; padding: .35rem .5rem; border-radius: .25rem; color: inherit; text-decoration: none; }
nav a[aria-current] { background: light-dark(#d7d9dc, #404249); color: light-dark(#060607, #fff); }
.messages { grid-column: 2; padding: .5rem 0 2rem; }
.empty { padding: .5rem 1rem; }
.message { display: grid; grid-template-columns: 2.5rem minmax(0, 1fr); gap: 1rem; padding: .5rem 1rem; }
.message:hover { background: light-dark(#f7f7f8, #2e3035); }
.face { width: 2.5rem; height: 2.5rem; border-radius: 50%; display: grid; place-items: center; font-weight: 700; color: #fff; background: #5b6b7a; }
.face.app { background: #5865f2; }
.by { font-weight: 600; color: light-dark(#060607, #f2f3f5); }
.app-mark { font-size: .625rem; font-weight: 600; padding: .1rem .3rem; margin-left: .3rem; border-radius: .2rem; background: #5865f2; color: #fff; vertical-align: .1rem; }
time, .quiet { color: var(--quiet); font-size: .75rem; }
.body { overflow-wrap: anywhere; }
.embed { max-width: 32rem; margin: .25rem 0; padding: .5rem 1rem 1rem .75rem; border-left: .25rem solid; border-radius: .25rem; background: var(--embed); font-size: .875rem; line-height: 1.4; }
.embed-title { display: block; margin: .5rem 0 .25rem; font-size: 1rem; font-weight: 600; }
.embed-description { white-space: normal; margin-top: .5rem; }
.embed-footer { margin-top: .5rem; font-size: .75rem; color: var(--quiet); }
.embed-fields { display: grid; gap: .5rem; margin-top: .5rem; }
.embed-fields b { display: block; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
nav a:hover { text-decoration: none; }
code { padding: 0 .2rem; border-radius: .2rem; background: var(--code); font: .85em Consolas, "Liberation Mono", Menlo, monospace; }
.mention { padding: 0 .15rem; border-radius: .2rem; background: #5865f24d; color: light-dark(#3b45c4, #c9cdfb); }
.spoiler { background: var(--quiet); color: transparent; border-radius: .2rem; }
.quote { display: inline-block; padding-left: .6rem; border-left: .25rem solid var(--line); }
.edited { font-size: .625rem; color: var(--quiet); }
.thread { margin-top: .4rem; padding-left: .75rem; border-left: 2px solid var(--line); }
.thread > summary { cursor: pointer; color: var(--link); font-size: .875rem; font-weight: 600; }
@media (max-width: 40rem) { main { display: block; } nav { min-height: 0; } }
`
