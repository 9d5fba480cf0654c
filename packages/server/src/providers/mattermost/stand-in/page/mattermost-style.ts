/** Holds the style sheet of Mattermost's channels, on top of the one of every chat. */
export const mattermostStyle = `
:root { --line: light-dark(#3f435029, #e3e4e829); --soft: light-dark(#3f435014, #e3e4e81f); --quiet: light-dark(#5f6370, #a7abb5); --link: light-dark(#1c58d9, #5d89ea); --side: light-dark(#1e325c, #121317); --side-text: #dfe5f1; --here: #ffffff26; --app: #1c58d9; --face: 50%; }
body { background: light-dark(#fff, #1e1f27); color: light-dark(#3f4350, #e3e4e8); }
.field { overflow-wrap: anywhere; margin-top: .6rem; }
.attachment { margin-top: .35rem; padding: .6rem .8rem; border: 1px solid var(--line); border-left: 4px solid; border-radius: .25rem; }
.attachment-title { font-weight: 600; font-size: 1.05rem; margin-bottom: .2rem; overflow-wrap: anywhere; }
.attachment > .field:first-child { margin-top: 0; }
.field-title { font-weight: 600; }
.attachment .quiet { margin-top: .5rem; }
.attachment a { color: var(--link); text-decoration: none; }
`
