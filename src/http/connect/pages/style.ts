/** Styles of all link pages: light and dark, from phone to desktop. */
export const STYLE = `
  :root {
    color-scheme: light dark;
    --paper: #fff; --ink: #1a2233; --quiet: #505b73; --line: #b9c2d1; --tint: #eef2f8;
    --accent: #1d56bd; --on-accent: #fff; --good: #e2f5e6; --bad: #fde7e5; --wrong: #a3170f; --focus: #b35900;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --paper: #12161f; --ink: #e8ecf4; --quiet: #aab4c6; --line: #4a5568; --tint: #1d2431;
      --accent: #9dc0ff; --on-accent: #0b1730; --good: #163822; --bad: #471b18; --wrong: #ffb3ac; --focus: #ffb547;
    }
  }
  * { box-sizing: border-box }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 38rem; margin: 0 auto; padding: 2rem 1rem; background: var(--paper); color: var(--ink); overflow-wrap: anywhere }
  h1 { font-size: 1.4rem } h2 { font-size: 1.05rem; margin: 0 }
  ul.platforms { list-style: none; padding: 0 }
  ul.platforms > li { border: 1px solid var(--line); border-radius: 10px; padding: 1rem; margin: .8rem 0 }
  .head { display: flex; flex-wrap: wrap; align-items: center; gap: .8rem }
  .head > div { flex: 1 1 10rem }
  .mark { display: inline-grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 8px; background: var(--tint); font-weight: 700 }
  .logo { background: #fff; padding: .35rem; flex: none }
  .quiet, small, summary { color: var(--quiet) } .quiet { margin: .3rem 0 }
  .state { font-weight: 600; margin: 0 }
  .account { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; border-top: 1px solid var(--line); margin-top: .8rem; padding-top: .8rem }
  .account > div { flex: 1 1 10rem }
  details { margin-top: .6rem } details ul { margin: .3rem 0 }
  button, a.button { display: inline-block; font: inherit; padding: .5rem 1rem; min-height: 2.75rem; border: 1px solid var(--accent); border-radius: 6px; background: var(--accent); color: var(--on-accent); text-decoration: none; cursor: pointer }
  button.second, a.second { background: transparent; color: var(--accent) }
  a { color: var(--accent) }
  :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
  .notice { padding: .8rem 1rem; border-radius: 8px } .success { background: var(--good) } .failure { background: var(--bad) }
  .field { margin: 1.2rem 0 } .field label { display: block; font-weight: 600 }
  .field input, .field select { font: inherit; width: 100%; padding: .5rem; min-height: 2.75rem; border: 1px solid var(--quiet); border-radius: 6px; background: var(--paper); color: var(--ink) }
  .field p { margin: .2rem 0 } .wrong { color: var(--wrong); font-weight: 600 }
  fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0 } fieldset label { display: block; padding: .5rem 0 }
  .row { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }`;
