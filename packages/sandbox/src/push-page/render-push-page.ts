import { pagesOf } from '../control/participants.ts'
import { offeredSettings, offeredSwitches } from '../control/switches.ts'
import { markup, type Markup } from '../http/page.ts'
import type { Sandbox } from '../sandbox.ts'
import { scenarios } from '../stage/scenarios.ts'
import { stateOf, type Push } from '../stage/push.ts'

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
  const items = offeredSwitches(sandbox).map(
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
  const offered = offeredSettings(sandbox)
  if (offered.length === 0) return markup`<p class="quiet">Nothing to set for these providers.</p>`
  const items = offered.map(({ name, title, isOn }) => {
    const on = isOn()
    return markup`<li><form method="post" action="/control/settings/${name}" data-said="Set.">
<button class="toggle" id="set-${name}" name="on" value="${String(!on)}" aria-pressed="${String(on)}">${title}</button></form></li>`
  })
  return markup`<ul class="switches">${items}</ul>`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Returns the list of pushes, newest first, each with its progress. */
function renderPushes(sandbox: Sandbox): Markup {
  const pushes = sandbox.stage.pushes()
  if (pushes.length === 0) return markup`<p class="quiet">No pushes yet.</p>`
  const urls = new Map(pagesOf(sandbox, ['tracker']).map(({ title, url }) => [title, url]))
  return markup`<ol class="pushes">${pushes.map((push) => renderPush(push, urls))}</ol>`
}

function renderPush(push: Push, urls: IssueUrls): Markup {
  const { scenario, at, messages, ref, sha, environment } = push
  const time = at.toISOString()
  const commits = messages.map((message) => markup`<li>${linkIssues(message, urls)}</li>`)
  const what =
    messages.length === 0
      ? markup`<p class="quiet">Goes back to <code>${sha.slice(0, 7)}</code>.</p>`
      : markup`<ul class="commits">${commits}</ul>`
  return markup`<li><div class="head"><b>${scenarios[scenario].title}</b><time datetime="${time}">${time.slice(11, 19)}</time></div>
${what}
<div class="way"><code>${messages.length === 0 ? sha.slice(0, 7) : ref}</code><span aria-hidden="true">→</span><span>${environment}</span>
${renderState(push)}${renderTests(push)}</div></li>`
}

const tones = {
  success: 'good',
  failure: 'bad',
  waiting: 'busy',
  queued: 'busy',
  pending: 'busy',
  in_progress: 'busy',
} as const

function renderState(push: Push): Markup {
  const state = stateOf(push)
  return markup`<span class="pill ${tones[state]}">${state.replace('_', ' ')}</span>`
}

function renderTests({ tests, report }: Push): Markup | undefined {
  if (tests.length === 0) return undefined
  const pills = tests.map((test) => {
    const tone = test === 'success' ? 'good' : test === 'running' ? 'busy' : 'bad'
    const word = test === 'success' ? 'passed' : test === 'running' ? 'running' : 'failed'
    return markup`<span class="pill ${tone}">${word}</span>`
  })
  const sent =
    report === undefined ? undefined : markup`<span class="quiet">report: ${report}</span>`
  return markup`<span class="quiet">tests</span>${pills}${sent}`
}

/** Maps keys of issues to the addresses of their pages. */
type IssueUrls = ReadonlyMap<string, string>

/** Returns the first line of the message, with links from issue keys to the pages of the issues. */
function linkIssues(message: string, urls: IssueUrls): Markup {
  const [line = ''] = message.split('\n')
  const parts = line.split(/(\b[A-Z][A-Z0-9]+-\d+\b|(?:acme\/shop)?#\d+\b)/)
  return markup`${parts.map((part) => {
    const url = urls.get(part.replace('acme/shop#', '#'))
    return url === undefined ? markup`${part}` : markup`<a href="${url}">${part}</a>`
  })}`
}
