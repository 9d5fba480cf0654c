import { nameOfRef } from '@signalbox/contract'
import {
  code,
  joinTexts,
  link,
  quote,
  sign,
  strong,
  type ChatMessage,
  type MessageSection,
  type MessageText,
  type Tone,
} from '../../providers/chat/chat-message.ts'
import {
  failsDeployment,
  type DeploymentState,
  type DeploymentView,
  type IssueView,
} from '../../read-models/notifications/deployment-view.ts'
import { renderList } from './render-list.ts'
import { formatDuration, renderTestRun, renderWarnings } from './render-test-run.ts'

/** Limits each list, by lines and by its share of the message, so that all fit and the message is read at a glance. */
const limits = {
  issues: { lines: 10, share: 0.26 },
  testRuns: { lines: 5, share: 0.2 },
  warnings: { lines: 4, share: 0.12 },
} as const

type Headline = readonly [tone: Tone, before: string, after?: string]

/** Holds the words before and after the name of the environment, by the state of the deployment. */
const headlines: Readonly<Record<DeploymentState, Headline>> = {
  waiting: ['waiting', 'Waiting for approval: '],
  queued: ['progress', 'Deploying to '],
  pending: ['progress', 'Deploying to '],
  in_progress: ['progress', 'Deploying to '],
  success: ['success', 'Deployed to '],
  failure: ['failure', 'Deployment to ', ' failed'],
  error: ['failure', 'Deployment to ', ' failed'],
  superseded: ['replaced', 'Deployed to ', ' (superseded)'],
  rolled_back: ['reverted', 'Deployed to ', ', rolled back since'],
}

/** Holds those of a rollback, where they differ. */
const rollbackHeadlines: Partial<typeof headlines> = {
  queued: ['progress', 'Rolling back '],
  pending: ['progress', 'Rolling back '],
  in_progress: ['progress', 'Rolling back '],
  success: ['reverted', 'Rolled back '],
  failure: ['failure', 'Rollback of ', ' failed'],
  error: ['failure', 'Rollback of ', ' failed'],
}

const failedTests: Headline = ['failure', 'Deployed to ', ', tests failed']

function headlineOf({ state, relation, testRuns }: DeploymentView): Headline {
  if (state === 'success' && testRuns.some(failsDeployment)) return failedTests
  return (relation === 'rollback' ? rollbackHeadlines[state] : undefined) ?? headlines[state]
}

/** Returns what happened and how that is meant. */
export function renderHeadline(view: DeploymentView): {
  readonly tone: Tone
  readonly headline: MessageText
} {
  const [tone, before, after = ''] = headlineOf(view)
  return { tone, headline: [before, quote(view.environment, 100), after] }
}

/** Git abbreviates a commit to seven digits at least. */
const shortShaMin = 7

/** Returns whether a deployment names the commit itself in place of a branch, as a rollback does. */
function isOfCommit({ ref, sha }: DeploymentView): boolean {
  return ref.length >= shortShaMin && sha.startsWith(ref)
}

/** Returns a deployment in one line: what happened, and to which branch of which repository. */
export function renderSummary(view: DeploymentView): MessageText {
  const { tone, headline } = renderHeadline(view)
  return [
    sign(tone),
    ' ',
    ...headline,
    ' · ',
    quote(view.repository, 120),
    ' ',
    isOfCommit(view) ? code(view.sha.slice(0, 8), 8) : code(nameOfRef(view.ref), 120),
  ]
}

function renderFacts(view: DeploymentView): MessageText[] {
  const repository = quote(view.repository, 120)
  const sha = code(view.sha.slice(0, 8), 8)
  const copied = isOfCommit(view) ? [sha] : [code(nameOfRef(view.ref), 120), sha]
  const facts: MessageText[] = [
    ...(repository.text === '' ? [] : [[strong(repository)]]),
    ...copied.filter(({ text }) => text !== '').map((run) => [run]),
    ...(view.who === null ? [] : [['by ', quote(view.who, 80)]]),
    ...(view.durationMs === null ? [] : [[formatDuration(view.durationMs)]]),
  ]
  // The commits of a rollback are those that it removes, so none of them is live.
  const [newest] = view.relation === 'rollback' ? [] : view.commits
  const subject = quote(newest?.message.split('\n', 1)[0] ?? '', 120)
  return [
    ...(facts.length === 0 ? [] : [joinTexts(facts, ' · ')]),
    ...(subject.text === '' ? [] : [['“', subject, '”']]),
    ...(view.gate === undefined ? [] : [[quote(view.gate, 300)]]),
  ]
}

/** Where it is comes first: most readers want to go there. */
function renderLinks(view: DeploymentView): ChatMessage['links'] {
  return [
    ...(view.url === null ? [] : [link(view.url, 'Open ', quote(view.environment, 60))]),
    ...(view.logUrl === null ? [] : [link(view.logUrl, 'Log')]),
  ]
}

/** Returns the line of an issue, its key being a link. Example: `• ABC-5 Pay with a card · In review`. */
export function renderIssue(issue: IssueView): MessageText {
  return [
    '• ',
    link(issue.url, quote(issue.key, 40)),
    ...(issue.title === null ? [] : [' ', quote(issue.title, 120)]),
    ...(issue.status === null ? [] : [' · ', quote(issue.status, 40)]),
    ...(issue.state === 'reverted' ? [' · reverted'] : []),
  ]
}

/** Splits the issues of a message: those that it lists one by one, and a few words about the other keys. */
export function splitIssues(issues: readonly IssueView[]): {
  readonly listed: readonly IssueView[]
  readonly rest: string
} {
  const count = (...states: IssueView['state'][]) =>
    issues.filter((issue) => states.includes(issue.state)).length
  const rest = [
    [count('not_found', 'forbidden'), 'not found'],
    [count('pending'), 'being looked up'],
  ] as const
  return {
    listed: issues.filter(({ state }) => state === 'linked' || state === 'reverted'),
    rest: rest
      .filter(([number]) => number > 0)
      .map(([number, words]) => `${number} ${words}`)
      .join(', '),
  }
}

/** A rollback removes the issues of the commits that it takes out, and not those of the commit that it goes back to. */
function renderIssues(view: DeploymentView, moreUrl: string | null): readonly MessageSection[] {
  const { listed, rest } = splitIssues(view.issues)
  const isRollback = view.relation === 'rollback'
  const isRemoved = ({ state }: IssueView) => isRollback && state === 'reverted'
  const sections = [
    { title: 'Issues removed', issues: listed.filter(isRemoved), rest: isRollback ? rest : '' },
    {
      title: 'Issues',
      issues: listed.filter((issue) => !isRemoved(issue)),
      rest: isRollback ? '' : rest,
    },
  ]
  return sections.flatMap(({ title, issues, rest: about }) =>
    issues.length === 0 && about === ''
      ? []
      : renderList(limits.issues, {
          title: about === '' ? [strong(title)] : [strong(title), ` · ${about}`],
          lines: issues.map(renderIssue),
          moreUrl,
        }),
  )
}

const refMax = 250

function withRun(pageUrl: string, ref: string): string {
  return `${pageUrl}${pageUrl.includes('?') ? '&' : '?'}run=${encodeURIComponent(ref)}`
}

/** The page of a deployment opens the form that starts a workflow where its address names a branch or tag. */
function renderTestRuns({ testRuns, ref }: DeploymentView, moreUrl: string | null): MessageText[] {
  // A ref is foreign text: of any length, and with half characters.
  const isPlain = ref.isWellFormed() && ref.length <= refMax
  const startUrl = moreUrl === null || !isPlain ? moreUrl : withRun(moreUrl, ref)
  return testRuns.map((run) => renderTestRun(run, startUrl))
}

/** Example: `5 commits · hotfix · shop v12`. */
function renderFooter(view: DeploymentView, moreUrl: string | null): MessageText[] {
  const relations = {
    first: 'first deployment here',
    hotfix: 'hotfix',
    same: 'the same commit again',
  }
  const relation = Object.entries(relations).find(([name]) => name === view.relation)?.[1]
  const commits = view.commitCount === 1 ? '1 commit' : `${view.commitCount} commits`
  const configs = view.configVersions
    .slice(0, 6)
    .map(({ schema, version }) => [quote(schema, 63), ` v${version}`])
  const more = view.configVersions.length - configs.length
  return [
    ...(view.commitCount > 0
      ? [[view.relation === 'rollback' ? `${commits} removed` : commits]]
      : []),
    ...(relation === undefined ? [] : [[relation]]),
    ...configs,
    ...(more > 0 ? [[`and ${more} more`]] : []),
    ...(moreUrl === null ? [] : [[link(moreUrl, 'Details')]]),
  ]
}

/**
 * Returns the message of a deployment: what happened at one glance, the rest in small.
 *
 * @param moreUrl its page
 */
export function renderDeploymentMessage(view: DeploymentView, moreUrl: string | null): ChatMessage {
  return {
    ...renderHeadline(view),
    summary: renderSummary(view),
    links: renderLinks(view),
    facts: renderFacts(view),
    actions: [],
    sections: [
      ...renderList(limits.testRuns, { lines: renderTestRuns(view, moreUrl), moreUrl }),
      ...renderList(limits.warnings, { lines: view.testRuns.flatMap(renderWarnings), moreUrl }),
      ...renderIssues(view, moreUrl),
    ],
    footer: renderFooter(view, moreUrl),
  }
}
