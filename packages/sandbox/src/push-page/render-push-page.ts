import { pagesOf } from '../control/participants.ts'
import { isOffered, settings, switches } from '../control/switches.ts'
import { markup, type Markup } from '../http/page.ts'
import type { Sandbox } from '../sandbox.ts'
import { scenarios } from '../stage/scenarios.ts'
import { renderPushes } from './render-pushes.ts'

/** Returns the whole push page. */
export function renderPushPage(sandbox: Sandbox): string {
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Push · Signalbox sandbox</title>
<link rel="stylesheet" href="/push.css">
<link rel="icon" href="data:,">
<script src="/push.js" defer></script>
<body>
<header class="notice">Signalbox sandbox. Nothing here is real, and nothing leaves this machine.</header>
<main>
<h1>Push something</h1>
<p class="lead">Simulates developers who push to <code>acme/shop</code>, and ${renderRunners(sandbox)}. Results appear in the chat.</p>
${renderForm(sandbox)}
<div id="live">${renderLive(sandbox)}</div>
</main>
</body>
</html>
`.html
}

/** Names what runs the pipelines. Example: `GitHub Actions or GitLab CI`. */
function renderRunners({ stage }: Sandbox): Markup {
  const [first, ...more] = stage.hosts().map(({ runner }) => runner)
  return markup`${[first, ...more].join(' or ')}`
}

/** Asks for the code host where a product is connected to several. */
function renderHosts({ stage }: Sandbox): Markup | undefined {
  const hosts = stage.hosts()
  if (hosts.length < 2) return undefined
  const options = hosts.map(
    ({ name, title }, index) =>
      markup`<label><input type="radio" name="host" value="${name}"${
        index === 0 ? markup` checked` : undefined
      }><span><b>${title}</b></span></label>`,
  )
  return markup`<fieldset class="choice"><legend>Where to?</legend>
${options}
</fieldset>`
}

function renderForm(sandbox: Sandbox): Markup {
  const choices = Object.entries(scenarios).map(
    ([name, { title, explains }], index) =>
      markup`<label><input type="radio" name="scenario" value="${name}"${
        index === 0 ? markup` checked` : undefined
      }><span><b>${title}</b><small>${explains}</small></span></label>`,
  )
  return markup`<form class="card" method="post" action="/control/push" data-said="Pushed. Watch it below.">
<fieldset class="choice"><legend>What is it?</legend>
${choices}
</fieldset>
${renderHosts(sandbox)}
<div class="act"><button class="push">Push</button><p id="said" role="status"></p></div>
</form>`
}

/** Returns the part of the page that changes. */
export function renderLive(sandbox: Sandbox): Markup {
  return markup`<div class="columns">
<section class="card" aria-labelledby="pushes"><h2 id="pushes">Pushes</h2>
${renderPushes(sandbox)}</section>
<div>
<section class="card" aria-labelledby="look"><h2 id="look">Open</h2>${renderLinks(sandbox)}</section>
<section class="card" aria-labelledby="set"><h2 id="set">Provider behaviour</h2>${renderSettings(sandbox)}</section>
</div>
</div>
<section class="card" aria-labelledby="wrong"><h2 id="wrong">Simulate a fault</h2>${renderSwitches(sandbox)}</section>`
}

function renderLinks(sandbox: Sandbox): Markup {
  const to = sandbox.stage.variables?.url
  const product =
    to === undefined
      ? undefined
      : markup`<li><a id="product" href="${to}">Signalbox</a><span class="quiet">${to}</span></li>`
  const pages = pagesOf(sandbox, ['chat', 'tracker', 'codehost']).map(
    ({ id, title, note, url }) =>
      markup`<li><a id="${id}" href="${url}">${title}</a><span class="quiet">${note}</span></li>`,
  )
  return markup`<ul class="links">${product}${pages}</ul>`
}

function renderSwitches(sandbox: Sandbox): Markup {
  const { faults } = sandbox
  const waiting = faults.list().reduce((sum, { times = 1 }) => sum + times, 0)
  const offered = switches.filter((one) => isOffered(sandbox, one))
  const items = offered.map(
    ({
      name,
      title,
      explains,
    }) => markup`<li><form method="post" action="/control/switches/${name}" data-said="Done: ${title}.">
<button id="switch-${name}" aria-describedby="about-${name}">${title}</button><small id="about-${name}">${explains}</small></form></li>`,
  )
  return markup`<ul class="switches wide">${items}</ul>
<form class="act" method="post" action="/control/faults/clear" data-said="Faults cleared."><button id="clear-faults">Clear</button>
<span class="quiet">${waiting === 0 ? 'No faults pending.' : `${count(waiting, 'fault')} pending.`}</span></form>`
}

function renderSettings(sandbox: Sandbox): Markup {
  const offered = settings.filter((one) => isOffered(sandbox, one))
  if (offered.length === 0) return markup`<p class="quiet">Nothing to set for these providers.</p>`
  const items = offered.map(({ name, title, isOn }) => {
    const on = isOn(sandbox)
    return markup`<li><form method="post" action="/control/settings/${name}" data-said="Set.">
<button class="toggle" id="set-${name}" name="on" value="${String(!on)}" aria-pressed="${String(on)}">${title}</button></form></li>`
  })
  return markup`<ul class="switches">${items}</ul>`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
