import { pagesOf } from '../control/participants.ts'
import { markup, type Markup } from '../http/page.ts'
import type { Sandbox } from '../sandbox.ts'
import { stateOf, type Push } from '../stage/push.ts'
import { scenarios } from '../stage/scenarios.ts'

/** Returns the list of pushes, newest first, each with its progress. */
export function renderPushes(sandbox: Sandbox): Markup {
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
