import type {
  FlagView,
  ProofView,
  RequestView,
} from '../../read-models/notifications/notice-views.ts'
import type {
  DeploymentView,
  IssueView,
  TestRunView,
} from '../../read-models/notifications/deployment-view.ts'

export function buildIssue(overrides: Partial<IssueView> = {}): IssueView {
  const url = 'https://acme.atlassian.net/browse/SHOP-5'
  const title = 'Pay with a card'
  return { key: 'SHOP-5', state: 'linked', title, status: 'In review', url, ...overrides }
}

export function buildTestRun(overrides: Partial<TestRunView> = {}): TestRunView {
  return {
    id: 'run_1',
    name: 'e2e',
    state: 'passed',
    reason: null,
    passed: 118,
    failed: 0,
    skipped: 2,
    flaky: 1,
    durationMs: 192_000,
    url: 'https://github.com/acme/shop/actions/runs/7',
    warnings: [],
    failing: [],
    isOfProof: false,
    ...overrides,
  }
}

/** A deployment to production that went well. */
export function buildView(overrides: Partial<DeploymentView> = {}): DeploymentView {
  return {
    id: 'dep_1',
    environment: 'production',
    isProduction: true,
    repository: 'acme/shop',
    ref: 'main',
    sha: 'a1b2c3d4e5f6',
    relation: 'forward',
    state: 'success',
    description: null,
    who: 'octocat',
    durationMs: 72_000,
    url: 'https://shop.example.com/',
    logUrl: 'https://github.com/acme/shop/actions/runs/6',
    commits: [
      {
        sha: 'a1b2c3d4e5f6',
        message: 'SHOP-5 Pay with a card\n\nLong story.',
        author: 'octocat',
        url: 'https://github.com/acme/shop/commit/a1b2c3d4e5f6',
      },
    ],
    commitCount: 1,
    issues: [buildIssue()],
    testRuns: [buildTestRun()],
    configVersions: [{ schema: 'shop', version: 12 }],
    ...overrides,
  }
}

/** A flag whose rules hold a text everywhere. */
export function buildFlagView(text: string): FlagView {
  const when = [{ attribute: text, operator: 'equals', value: text }] as const
  return {
    key: text,
    change: 'changed',
    before: false,
    after: false,
    rulesAfter: [
      { description: text, when, serve: true },
      { when, serve: false },
      { when: [], serve: { percent: 10, by: text } },
    ],
  }
}

/** A request of which every text is the same, with everything that a message can say. */
export function buildRequestView(text: string, overrides: Partial<RequestView> = {}): RequestView {
  const approvals = { needed: 2, given: 1 }
  const environment = { id: 'env_1', name: text, isProduction: true, approvals }
  return {
    number: 12,
    title: text,
    reason: text,
    state: 'open',
    who: text,
    keys: [text, `${text}2`],
    environments: [environment, { ...environment, id: 'env_2' }],
    approvedBy: [text],
    declines: [{ who: text, text }],
    applyAt: new Date('2026-12-01T09:30:00Z'),
    conflict: null,
    failure: null,
    overridden: null,
    proofs: [],
    ...overrides,
  }
}

/** A change that is watched, of which every text is the same. */
export function buildProofView(text: string, overrides: Partial<ProofView> = {}): ProofView {
  return {
    environment: text,
    state: 'watching',
    minutes: 15,
    signals: [text],
    isWaiting: false,
    reason: null,
    restored: [],
    notRestored: null,
    stoppedBy: null,
    ...overrides,
  }
}
