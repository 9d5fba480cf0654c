/** Holds the style sheet of Slack's channels, on top of the one of every chat. */
export const slackStyle = `
:root { --line: #8883; --soft: #8882; --quiet: light-dark(#616061, #ababad); --link: light-dark(#1264a3, #4ea8de); --side: light-dark(#3f0e40, #19171d); --side-text: #e8dfe8; --here: #1164a3; --app: #2f6f4f; --face: .35rem; }
body { background: light-dark(#fff, #1a1d21); color: light-dark(#1d1c1d, #d1d2d3); }
.body h2 { margin: .2rem 0 .3rem; font-size: 1.15rem; }
.body p { margin: .25rem 0; }
.section { display: flex; gap: 1rem; justify-content: space-between; margin: .25rem 0; }
.fields { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .4rem 1rem; margin-top: .3rem; }
.context { color: var(--quiet); font-size: .85rem; display: flex; flex-wrap: wrap; gap: .2rem .6rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; }
.button { display: inline-block; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: .3rem; font-weight: 600; font-size: .85rem; color: inherit; text-decoration: none; }
.button.primary { background: #007a5a; border-color: #007a5a; color: #fff; }
.button.danger { background: #c01f45; border-color: #c01f45; color: #fff; }
.image { padding: .1rem .4rem; border-radius: .25rem; background: var(--soft); font-size: .8rem; }
figure { margin: .3rem 0; }
hr { border: 0; border-top: 1px solid var(--line); margin: .7rem 0; }
code { border: 1px solid var(--line); color: light-dark(#c01343, #e8912d); }
pre { margin: .3rem 0; padding: .5rem; border: 1px solid var(--line); border-radius: .25rem; background: var(--soft); white-space: pre-wrap; font-size: .85rem; }
.revision { margin: .3rem 0; padding-left: .7rem; border-left: 2px solid var(--line); opacity: .8; }
.reactions span { display: inline-block; padding: 0 .4rem; margin: .2rem .3rem 0 0; border: 1px solid var(--line); border-radius: 1rem; font-size: .8rem; }
`
