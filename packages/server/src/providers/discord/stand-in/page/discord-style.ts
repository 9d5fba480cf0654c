/** Holds the style sheet of Discord's channels, on top of the one of every chat. */
export const discordStyle = `
:root { --line: light-dark(#e3e5e8, #3f4147); --quiet: light-dark(#5c5e66, #b5bac1); --link: light-dark(#0068e0, #00a8fc); --soft: light-dark(#f2f3f5, #2b2d31); --side: light-dark(#f2f3f5, #2b2d31); --side-text: var(--quiet); --here: light-dark(#d7d9dc, #404249); --app: #5865f2; --face: 50%; }
body { background: light-dark(#fff, #313338); color: light-dark(#2e3338, #dbdee1); font: 16px/1.375 "gg sans", "Noto Sans", "Helvetica Neue", Helvetica, Arial, sans-serif; }
.embed { max-width: 32rem; margin: .25rem 0; padding: .5rem 1rem 1rem .75rem; border-left: .25rem solid; border-radius: .25rem; background: var(--soft); font-size: .875rem; line-height: 1.4; }
.embed-title { display: block; margin: .5rem 0 .25rem; font-size: 1rem; font-weight: 600; }
.embed-description { white-space: normal; margin-top: .5rem; }
.embed-footer { margin-top: .5rem; font-size: .75rem; color: var(--quiet); }
.embed-fields { display: grid; gap: .5rem; margin-top: .5rem; }
.embed-fields b { display: block; }
.spoiler { background: var(--quiet); color: transparent; border-radius: .2rem; }
.quote { display: inline-block; padding-left: .6rem; border-left: .25rem solid var(--line); }
.edited { font-size: .625rem; color: var(--quiet); }
.thread { padding-left: .75rem; border-left: 2px solid var(--line); }
`
