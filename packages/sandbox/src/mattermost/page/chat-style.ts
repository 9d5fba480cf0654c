/** Holds the style sheet of the channel pages, on top of the one of every page. */
export const chatStyle = `
:root { --line: light-dark(#3f435029, #e3e4e829); --quiet: light-dark(#5f6370, #a7abb5); --link: light-dark(#1c58d9, #5d89ea); }
body { background: light-dark(#fff, #1e1f27); color: light-dark(#3f4350, #e3e4e8); }
main { max-width: none; margin: 0; padding: 0; display: grid; grid-template-columns: 13rem minmax(0, 1fr); min-height: calc(100vh - 2.3rem); align-content: start; }
main > h1 { grid-column: 2; margin: 0; padding: .8rem 1.25rem; font-size: 1.05rem; border-bottom: 1px solid var(--line); }
nav { grid-column: 1; grid-row: 1 / span 3; min-height: calc(100vh - 2.3rem); padding: .8rem .6rem; background: light-dark(#1e325c, #121317); color: #dfe5f1; }
nav b { display: block; padding: .6rem .6rem .2rem; font-size: .85rem; }
nav a { display: block; padding: .2rem .6rem; border-radius: .25rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a[aria-current] { background: #ffffff26; }
.messages { grid-column: 2; padding: .5rem 0 2rem; max-width: 56rem; min-width: 0; }
.empty { padding: .5rem 1.25rem; }
.message { display: grid; grid-template-columns: 2.25rem minmax(0, 1fr); gap: .7rem; padding: .5rem 1.25rem; }
.thread .message { padding: .5rem 0; }
.face { width: 2.25rem; height: 2.25rem; border-radius: 50%; display: grid; place-items: center; font-weight: 700; color: #fff; background: #5b6b7a; }
.face.app { background: #1c58d9; }
.by { font-weight: 600; }
.app-mark { font-size: .65rem; font-weight: 600; padding: .1rem .25rem; margin: 0 .3rem; border-radius: .2rem; background: #8882; color: var(--quiet); vertical-align: .1rem; }
time, .quiet { color: var(--quiet); font-size: .8rem; }
.body, .field { overflow-wrap: anywhere; }
.attachment { margin-top: .35rem; padding: .6rem .8rem; border: 1px solid var(--line); border-left: 4px solid; border-radius: .25rem; }
.attachment-title { font-weight: 600; font-size: 1.05rem; margin-bottom: .2rem; overflow-wrap: anywhere; }
.field { margin-top: .6rem; }
.attachment > .field:first-child { margin-top: 0; }
.field-title { font-weight: 600; }
.attachment .quiet { margin-top: .5rem; }
a { color: var(--link); text-decoration: none; }
main a:hover { text-decoration: underline; }
code { padding: .05rem .25rem; border-radius: .2rem; background: light-dark(#3f435014, #e3e4e81f); }
.mention { padding: 0 .15rem; border-radius: .2rem; background: light-dark(#ffd47066, #ffd4703d); color: var(--link); }
details { margin-top: .4rem; }
summary { color: var(--link); font-size: .85rem; cursor: pointer; }
blockquote { margin: .2rem 0; padding-left: .7rem; border-left: .25rem solid var(--line); }
@media (max-width: 40rem) { main { grid-template-columns: minmax(0, 1fr); } main > h1, .messages { grid-column: 1; } nav { display: none; } }
`
