import { addressesOf } from '../shapes/addresses.ts'
import { toIssueEvent } from '../shapes/issue-event.ts'
import type { GithubAccount, GithubIssue, GithubRepository, GithubState } from '../state.ts'
import type { ActivityDeps } from './activity-deps.ts'

/** Describes an issue to open. */
export interface NewIssue {
  readonly title: string
  readonly author: GithubAccount
  readonly assignee?: GithubAccount
}

/** Describes the steps in the life of an issue. Each sends an `issues` webhook to the apps. */
export interface IssueActivity {
  openIssue(repository: GithubRepository, added: NewIssue): GithubIssue
  /** Opens a pull request, which takes the next number of the issues. Sends no webhook. */
  openPullRequest(repository: GithubRepository): number
  closeIssue(
    repository: GithubRepository,
    issue: GithubIssue,
    reason: 'completed' | 'not_planned' | 'duplicate',
  ): void
  editIssue(repository: GithubRepository, issue: GithubIssue, title: string): void
  /** Moves an issue. It gets another id and number, and its old number leads to it. */
  transferIssue(from: GithubRepository, issue: GithubIssue, to: GithubRepository): GithubIssue
  deleteIssue(repository: GithubRepository, issue: GithubIssue): void
}

/** Creates the activity of issues on the state of the sandbox. */
export function createIssueActivity({ state, emit }: ActivityDeps): IssueActivity {
  const emitEvent = (action: string, repository: GithubRepository, issue: GithubIssue) => {
    const sender = issue.author
    const body = toIssueEvent(addressesOf(state), repository, { issue, sender })
    emit({ name: 'issues', action, repository, payload: { action, ...body } })
  }
  return {
    openIssue(repository, added) {
      const issue = storeIssue(state, repository, added)
      emitEvent('opened', repository, issue)
      return issue
    },
    openPullRequest(repository) {
      const number = nextNumber(repository)
      repository.pullRequests.add(number)
      return number
    },
    closeIssue(repository, issue, reason) {
      const now = state.clock.now()
      const closed = {
        state: 'closed',
        stateReason: reason,
        closedAt: now,
        updatedAt: now,
      } as const
      Object.assign(issue, closed)
      emitEvent('closed', repository, issue)
    },
    editIssue(repository, issue, title) {
      Object.assign(issue, { title, updatedAt: state.clock.now() })
      emitEvent('edited', repository, issue)
    },
    transferIssue(from, issue, to) {
      const { title, author, assignee } = issue
      const moved = storeIssue(state, to, { title, author, ...(assignee && { assignee }) })
      from.issues.delete(issue.number)
      const transferredTo = { repositoryId: to.id, number: moved.number }
      from.formerIssues.set(issue.number, { transferredTo })
      emitEvent('transferred', from, issue)
      emitEvent('opened', to, moved)
      return moved
    },
    deleteIssue(repository, issue) {
      repository.issues.delete(issue.number)
      repository.formerIssues.set(issue.number, 'deleted')
      emitEvent('deleted', repository, issue)
    },
  }
}

function storeIssue(
  state: GithubState,
  repository: GithubRepository,
  { title, author, assignee }: NewIssue,
): GithubIssue {
  const now = state.clock.now()
  const issue: GithubIssue = {
    id: state.nextId(),
    number: nextNumber(repository),
    title,
    author,
    assignee,
    state: 'open',
    stateReason: null,
    createdAt: now,
    updatedAt: now,
    closedAt: undefined,
  }
  repository.issues.set(issue.number, issue)
  return issue
}

/** Returns the number after all that issues and pull requests ever had. */
export function nextNumber({ issues, formerIssues, pullRequests }: GithubRepository): number {
  return Math.max(0, ...issues.keys(), ...formerIssues.keys(), ...pullRequests) + 1
}
