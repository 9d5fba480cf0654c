import type { ChatMessage } from '../providers/chat.ts'
import { isFailedRun, type CommitView, type DeploymentView } from './deployment-view.ts'
import { section, type Block } from './message-blocks.ts'
import { fitLines, linkTo, quoteCode, quoteText } from './message-text.ts'
import { renderHeadline, renderIssue, splitIssues } from './render-deployment-message.ts'
import { renderFailing, renderTestRun } from './render-test-run.ts'

const room = {
  commits: { lines: 20, length: 2_800 },
  issues: { lines: 20, length: 2_800 },
  failing: { lines: 15, length: 2_400 },
} as const

function renderCommit(commit: CommitView): string {
  const subject = quoteText(commit.message.split('\n', 1)[0] ?? '', 120)
  const author = commit.author === null ? '' : ` · ${quoteText(commit.author, 60)}`
  const sha = quoteText(commit.sha.slice(0, 8), 8)
  return `• ${linkTo(commit.url, sha)} ${subject}${author}`
}

function renderList(title: string, lines: readonly string[], shown: string): Block[] {
  return lines.length === 0 ? [] : [section([`*${title}*`, shown])]
}

/** The details of a deployment, for its thread; `undefined` while there is nothing that the message does not say. */
export function renderThread(
  view: DeploymentView,
  moreUrl: string | null,
): ChatMessage | undefined {
  const commits = view.commits.map(renderCommit)
  const issues = splitIssues(view.issues).shown.map(renderIssue)
  const failing = view.testRuns.flatMap(renderFailing)
  const unknown = Math.max(0, view.commitCount - commits.length)
  const blocks = [
    ...renderList('Failed tests', failing, fitLines(failing, { ...room.failing, moreUrl })),
    ...renderList('Commits', commits, fitLines(commits, { ...room.commits, moreUrl, unknown })),
    ...(issues.length > 10
      ? renderList('All issues', issues, fitLines(issues, { ...room.issues, moreUrl }))
      : []),
  ]
  if (blocks.length === 0 || (commits.length < 2 && blocks.length === 1 && failing.length === 0)) {
    return undefined
  }
  return { text: `Details of ${quoteText(view.repository, 120)}`, blocks }
}

/** The failure of a deployment in one line, for the whole channel. */
export function renderFailure(view: DeploymentView): ChatMessage {
  const what = `${renderHeadline(view)} · ${quoteText(view.repository, 120)} ${quoteCode(view.ref, 120)}`
  const runs = view.testRuns.filter((run) => isFailedRun(run.state)).slice(0, 3)
  const log = view.logUrl === null ? [] : [linkTo(view.logUrl, 'Log')]
  return { text: what, blocks: [section([what, ...runs.map(renderTestRun), ...log])] }
}
