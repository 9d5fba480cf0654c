import type { Tone } from '../../../components/badge.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Sha } from '../../../components/code.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { Panel } from '../../../components/panel.tsx'
import type { Issue } from './detail.ts'

interface IssuesPanelProps {
  readonly issues: readonly Issue[]
  /** Says why the commits were not read. `null`: they were, or will be. */
  readonly commitsUnread: string | null
}

/** Shows the issues of the deployment, the source of each key, and the keys that are ignored. */
export function IssuesPanel({ issues, commitsUnread }: IssuesPanelProps) {
  const counting = issues.filter(({ state }) => state !== 'ignored' && state !== 'not_found')
  const left = issues.filter((issue) => !counting.includes(issue))
  return (
    <Panel title="Issues" flush actions={counting.length > 0 && <Badge>{counting.length}</Badge>}>
      {issues.length === 0 ? (
        <p className="p-4 text-muted">{describeNone(commitsUnread)}</p>
      ) : (
        <ul className="divide-y divide-line">
          {[...counting, ...left].map((issue) => (
            <IssueRow key={issue.key} issue={issue} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Says why no issue is listed. Only commits that were read mention none. */
function describeNone(commitsUnread: string | null): string {
  if (commitsUnread !== null) return `${commitsUnread} Issues that they mention are missing here.`
  return 'No commit or branch of this deployment mentions an issue. Write a key such as ABC-12 in a commit message to link one.'
}

const words: Readonly<Record<Issue['state'], string | undefined>> = {
  linked: undefined,
  reverted: 'Reverted',
  not_found: 'Not found',
  forbidden: 'No access',
  pending: 'Looking up',
  ignored: 'Ignored',
}

const tones: Readonly<Record<NonNullable<Issue['statusCategory']>, Tone>> = {
  new: 'neutral',
  indeterminate: 'info',
  done: 'ok',
}

function IssueRow({ issue }: { readonly issue: Issue }) {
  const { formerKey, state, reason, title, type, status, statusCategory, assignee } = issue
  const word = words[state]
  return (
    <li className="flex flex-col gap-0.5 px-4 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <IssueKey issue={issue} />
        {formerKey !== null && <span className="text-sm text-muted">was {formerKey}</span>}
        {status !== null && (
          <Badge tone={statusCategory === null ? 'neutral' : tones[statusCategory]}>{status}</Badge>
        )}
        {word !== undefined && <Badge tone="warn">{word}</Badge>}
      </p>
      {title !== null && (
        <p className="break-words">
          <bdi>{title}</bdi>
        </p>
      )}
      {reason !== null && <p className="text-sm break-words text-muted">{reason}</p>}
      <p className="text-sm text-muted">
        {[type, assignee].filter((fact) => fact !== null).join(', ')}
      </p>
      <Evidence evidence={withoutCommitsAgain(issue.evidence)} />
    </li>
  )
}

function IssueKey({ issue: { key, url } }: { readonly issue: Issue }) {
  return (
    <OutsideLink href={url}>
      <span className="font-mono text-sm">{key}</span>
    </OutsideLink>
  )
}

const sources: Readonly<Record<Issue['evidence'][number]['source'], string>> = {
  commit: 'In commit',
  branch: 'In the branch name',
  payload: 'In the webhook',
  api: 'Reported by a pipeline',
}

/** Leaves out what a pipeline reported of a commit that is there itself. */
function withoutCommitsAgain(evidence: Issue['evidence']): Issue['evidence'] {
  const commits = new Set(
    evidence.filter(({ source }) => source === 'commit').map(({ text }) => text),
  )
  return evidence.filter(({ source, text }) => source !== 'api' || !commits.has(text))
}

/** Returns how often an issue is mentioned: by commits, and elsewhere such as by a branch. */
function describeEvidence(evidence: Issue['evidence']): string {
  const commits = evidence.filter(({ source }) => source === 'commit').length
  if (commits < evidence.length)
    return `Mentioned ${evidence.length === 1 ? 'once' : `${evidence.length} times`}`
  return `Mentioned in ${commits} ${commits === 1 ? 'commit' : 'commits'}`
}

/** Shows the source of a key, with the line that names it. */
function Evidence({ evidence }: { readonly evidence: Issue['evidence'] }) {
  if (evidence.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="text-muted">{describeEvidence(evidence)}</summary>
      <ul className="flex flex-col gap-1 border-l border-line pl-3">
        {evidence.map(({ source, sha, text, isRevert }, at) => (
          <li key={at} className="break-words">
            <span className="text-muted">
              {sources[source]} {sha !== null && <Sha sha={sha} />}
              {isRevert && ', which reverts'}:
            </span>{' '}
            <LongText text={text} />
          </li>
        ))}
      </ul>
    </details>
  )
}
