import type { ChatMessage } from '../providers/chat.ts'
import {
  isFailedRun,
  type DeploymentState,
  type DeploymentView,
  type IssueView,
} from './deployment-view.ts'
import { context, header, section, type Block } from './message-blocks.ts'
import { fitLines, linkTo, quoteCode, quoteText, toPlainLine } from './message-text.ts'
import { renderDuration, renderTestRun, renderWarnings } from './render-test-run.ts'

/** Lines and characters of the lists, so that all of them together stay below the limit of a message. */
const room = {
  issues: { lines: 10, length: 2_600 },
  testRuns: { lines: 5, length: 2_000 },
  warnings: { lines: 4, length: 1_200 },
} as const

/** What happened, in the fewest words. The sign is the first thing that is seen. */
const headlines: Readonly<Record<DeploymentState, (environment: string) => string>> = {
  waiting: (environment) => `⏸ Waiting for approval: ${environment}`,
  queued: (environment) => `⏳ Deploying to ${environment}`,
  pending: (environment) => `⏳ Deploying to ${environment}`,
  in_progress: (environment) => `⏳ Deploying to ${environment}`,
  success: (environment) => `✅ Deployed to ${environment}`,
  failure: (environment) => `❌ Deployment to ${environment} failed`,
  error: (environment) => `❌ Deployment to ${environment} failed`,
  superseded: (environment) => `☑️ Deployed to ${environment}, replaced since`,
  rolled_back: (environment) => `↩️ Deployed to ${environment}, rolled back since`,
}

/** The same for a way back, where it is another. */
const rollbackHeadlines: Partial<typeof headlines> = {
  queued: (environment) => `⏳ Rolling back ${environment}`,
  pending: (environment) => `⏳ Rolling back ${environment}`,
  in_progress: (environment) => `⏳ Rolling back ${environment}`,
  success: (environment) => `↩️ Rolled back ${environment}`,
  failure: (environment) => `❌ Rollback of ${environment} failed`,
  error: (environment) => `❌ Rollback of ${environment} failed`,
}

function headline({ state, relation, testRuns }: DeploymentView, environment: string): string {
  if (state === 'success' && testRuns.some((run) => isFailedRun(run.state))) {
    return `❌ Deployed to ${environment}, tests failed`
  }
  const render = relation === 'rollback' ? rollbackHeadlines[state] : undefined
  return (render ?? headlines[state])(environment)
}

/** One line about a deployment, for a phone and for its thread. */
export function renderHeadline(view: DeploymentView): string {
  return headline(view, quoteText(view.environment, 100))
}

function renderFacts(view: DeploymentView): string {
  const repository = quoteText(view.repository, 120)
  const facts = [
    repository === '' ? '' : `*${repository}*`,
    quoteCode(view.ref, 120),
    quoteCode(view.sha.slice(0, 8), 8),
    view.who === null ? '' : `by ${quoteText(view.who, 80)}`,
    view.durationMs === null ? '' : renderDuration(view.durationMs),
  ]
  return facts.filter((fact) => fact !== '').join(' · ')
}

/** Where it is comes first: most readers want to go there. */
function renderLinks(view: DeploymentView): string {
  const links = [
    view.url === null ? '' : linkTo(view.url, `Open ${quoteText(view.environment, 60)}`),
    view.logUrl === null ? '' : linkTo(view.logUrl, 'Log'),
  ]
  return links.filter((link) => link !== '').join(' · ')
}

/** Example: `• ABC-5 Pay with a card · In review`, the key being a link. */
export function renderIssue(issue: IssueView): string {
  const key = linkTo(issue.url, quoteText(issue.key, 40))
  const title = issue.title === null ? '' : ` ${quoteText(issue.title, 120)}`
  const status = issue.status === null ? '' : ` · ${quoteText(issue.status, 40)}`
  const reverted = issue.state === 'reverted' ? ' · reverted' : ''
  return `• ${key}${title}${status}${reverted}`
}

/** Issues that are shown one by one, and in a few words what became of the other keys. */
export function splitIssues(issues: readonly IssueView[]): {
  readonly shown: readonly IssueView[]
  readonly rest: string
} {
  const count = (...states: IssueView['state'][]) =>
    issues.filter((issue) => states.includes(issue.state)).length
  const rest = [
    [count('not_found', 'forbidden'), 'not found'],
    [count('pending'), 'being looked up'],
  ] as const
  return {
    shown: issues.filter(({ state }) => state === 'linked' || state === 'reverted'),
    rest: rest
      .filter(([number]) => number > 0)
      .map(([number, words]) => `${number} ${words}`)
      .join(', '),
  }
}

function renderIssues(view: DeploymentView, moreUrl: string | null): Block[] {
  const { shown, rest } = splitIssues(view.issues)
  if (shown.length === 0 && rest === '') return []
  const title = view.relation === 'rollback' ? '*Issues taken out*' : '*Issues*'
  const head = rest === '' ? title : `${title} · ${rest}`
  const lines = shown.map(renderIssue)
  return [
    section([head, ...(lines.length > 0 ? [fitLines(lines, { ...room.issues, moreUrl })] : [])]),
  ]
}

function renderTests(view: DeploymentView, moreUrl: string | null): Block[] {
  if (view.testRuns.length === 0) return []
  return [section([fitLines(view.testRuns.map(renderTestRun), { ...room.testRuns, moreUrl })])]
}

function renderAllWarnings(view: DeploymentView, moreUrl: string | null): Block[] {
  const warnings = view.testRuns.flatMap(renderWarnings)
  if (warnings.length === 0) return []
  return [section([fitLines(warnings, { ...room.warnings, moreUrl })])]
}

/** Example: `5 commits · hotfix · shop v12`. */
function renderContext(view: DeploymentView, moreUrl: string | null): Block[] {
  const relations = {
    first: 'first deployment here',
    hotfix: 'hotfix',
    same: 'the same commit again',
  }
  const relation = Object.entries(relations).find(([name]) => name === view.relation)?.[1]
  const commits = view.commitCount === 1 ? '1 commit' : `${view.commitCount} commits`
  const configs = view.configVersions
    .slice(0, 6)
    .map(({ schema, version }) => `${quoteText(schema, 63)} v${version}`)
  const more = view.configVersions.length - configs.length
  const parts = [
    ...(view.commitCount > 0
      ? [view.relation === 'rollback' ? `${commits} taken out` : commits]
      : []),
    ...(relation === undefined ? [] : [relation]),
    ...configs,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(moreUrl === null ? [] : [linkTo(moreUrl, 'Details')]),
  ]
  return parts.length === 0 ? [] : [context(parts)]
}

/** The message of a deployment: what happened at one glance, the rest in small. `moreUrl`: its page. */
export function renderDeploymentMessage(view: DeploymentView, moreUrl: string | null): ChatMessage {
  const links = renderLinks(view)
  const subject = quoteText(view.commits[0]?.message.split('\n', 1)[0] ?? '', 120)
  const lines = [links, renderFacts(view), subject === '' ? '' : `“${subject}”`]
  return {
    text: `${renderHeadline(view)} · ${quoteText(view.repository, 120)} ${quoteCode(view.ref, 120)}`,
    blocks: [
      header(headline(view, toPlainLine(view.environment, 100))),
      section(lines.filter((line) => line !== '')),
      ...renderTests(view, moreUrl),
      ...renderAllWarnings(view, moreUrl),
      ...renderIssues(view, moreUrl),
      ...renderContext(view, moreUrl),
    ],
  }
}
