import {
  link,
  quote,
  strong,
  type ChatMessage,
  type MessageSection,
  type MessageText,
} from '../../providers/chat/chat-message.ts'
import {
  failsDeployment,
  type CommitView,
  type DeploymentView,
} from '../../read-models/notifications/deployment-view.ts'
import {
  renderHeadline,
  renderIssue,
  renderSummary,
  splitIssues,
} from './render-deployment-message.ts'
import { renderList, type ListLimit } from './render-list.ts'
import { renderNotice } from './render-notice.ts'
import { renderFailing, renderTestRun } from './render-test-run.ts'

const limits = {
  commits: { lines: 20, share: 0.28 },
  issues: { lines: 20, share: 0.28 },
  failing: { lines: 15, share: 0.24 },
} as const

function renderCommit(commit: CommitView): MessageText {
  return [
    '• ',
    link(commit.url, quote(commit.sha.slice(0, 8), 8)),
    ' ',
    quote(commit.message.split('\n', 1)[0] ?? '', 120),
    ...(commit.author === null ? [] : [' · ', quote(commit.author, 60)]),
  ]
}

/**
 * Returns the details of a deployment, for its thread; `undefined` while the message says everything. Details that are
 * `posted` are kept true: those of a failed run are replaced once it has passed.
 */
export function renderThread(
  view: DeploymentView,
  moreUrl: string | null,
  isPosted = false,
): ChatMessage | undefined {
  const commits = view.commits.map(renderCommit)
  const issues = splitIssues(view.issues).listed.map(renderIssue)
  // Two runs may name the same test.
  const failing = [
    ...new Map(
      view.testRuns.flatMap(renderFailing).map((line) => [JSON.stringify(line), line]),
    ).values(),
  ]
  const hidden = Math.max(0, view.commitCount - commits.length)
  const titled = (title: string, limit: ListLimit, lines: readonly MessageText[], rest = 0) =>
    lines.length === 0
      ? []
      : renderList(limit, { title: [strong(title)], lines, hidden: rest, moreUrl })
  const sections: readonly MessageSection[] = [
    ...titled('Failed tests', limits.failing, failing),
    ...titled('Commits', limits.commits, commits, hidden),
    ...(issues.length > 10 ? titled('All issues', limits.issues, issues) : []),
  ]
  const isSaid = commits.length < 2 && sections.length === 1 && failing.length === 0
  if (!isPosted && (sections.length === 0 || isSaid)) return undefined
  return {
    tone: renderHeadline(view).tone,
    summary: ['Details of ', quote(view.repository, 120)],
    headline: null,
    links: [],
    facts: sections.length === 0 ? [['No failed tests.']] : [],
    actions: [],
    sections,
    footer: [],
  }
}

/** Returns the failure of a deployment in one line, for the whole channel. */
export function renderFailure(view: DeploymentView): ChatMessage {
  const runs = view.testRuns.filter(failsDeployment).slice(0, 3)
  return renderNotice({
    tone: renderHeadline(view).tone,
    summary: renderSummary(view),
    facts: runs.map((run) => renderTestRun(run, null)),
    actions: view.logUrl === null ? [] : [link(view.logUrl, 'Log')],
  })
}
