import { requestStates } from '@signalbox/contract'
import type { ChatMessage } from '../../providers/chat/chat-message.ts'
import type {
  DeploymentState,
  DeploymentView,
  TestState,
} from '../../read-models/notifications/deployment-view.ts'
import { toChange, toCompact } from '../messages/render-notice.ts'
import { renderAttention, renderConfiguration } from '../messages/render-attention.ts'
import { renderChangeRequest } from '../messages/render-change-request.ts'
import { renderDeploymentMessage } from '../messages/render-deployment-message.ts'
import { renderTestMessage } from '../messages/render-test-message.ts'
import { renderFailure, renderThread } from '../messages/render-thread.ts'
import type { ProofView, RequestView } from '../../read-models/notifications/notice-views.ts'
import {
  buildFlagView,
  buildIssue,
  buildProofView,
  buildRequestView,
  buildTestRun,
  buildView,
} from './build-view.ts'

/** A message and what it is an example of. */
export interface MessageSample {
  readonly name: string
  readonly message: ChatMessage
}

const page = 'https://signalbox.acme.dev/acme/deployments/dep_1?tab=all&view=1'

const deploymentStates: readonly DeploymentState[] = [
  'waiting',
  'queued',
  'pending',
  'in_progress',
  'success',
  'failure',
  'error',
  'superseded',
  'rolled_back',
]

const relations = ['first', 'forward', 'rollback', 'hotfix', 'same', 'unknown'] as const

const testStates: readonly TestState[] = [
  'planned',
  'dispatching',
  'unknown',
  'queued',
  'running',
  'passed',
  'failed',
  'errored',
  'cancelled',
  'timed_out',
  'skipped',
]

const hostileTexts = [
  '<!channel> *now* & <https://evil.example|Open production>',
  '_it_ ~gone~ `code` ```pre``` |*x*> :tada: @here #general',
  '> quoted\n> twice\r\n\u2028\u202eturned\u0000 \u200b  spaced \u2060 out',
  '👩‍💻 ß \ud800 half :a:b:c: https://evil.example/ &lt;!channel&gt; &amp;',
  'a \u200b b '.repeat(200),
  '<&>'.repeat(300),
  '👍'.repeat(400),
  ' \u200b\n ',
] as const

const durations = [-5, 0, 849.6, 999, 1_000, 41_400, 60_000, 192_000, 3_600_000, 3_900_000]

function many<T>(count: number, build: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => build(index))
}

function viewOf(text: string): DeploymentView {
  const commit = { sha: text, message: text, author: text, url: `https://acme.example/${text}` }
  return buildView({
    environment: text,
    repository: text,
    ref: text,
    sha: text,
    who: text,
    description: text,
    relation: 'hotfix',
    url: `https://shop.example.com/?a=1&b=${text}`,
    commits: [commit, { ...commit, url: null }],
    commitCount: 2,
    issues: [buildIssue({ key: text, title: text, status: text })],
    testRuns: [
      buildTestRun({
        name: text,
        reason: text,
        failing: [text],
        state: 'failed',
        warnings: [text],
      }),
    ],
    configVersions: [{ schema: text, version: 2 }],
  })
}

/** A deployment with more of everything than a message shows. */
function buildLongView(text: string): DeploymentView {
  return buildView({
    environment: text.repeat(9),
    state: 'failure',
    commits: many(40, (index) => ({
      sha: `${index}`.padStart(8, '0'),
      message: `${text} ${index}\n\nbody`,
      author: index % 3 === 0 ? null : text,
      url: index % 4 === 0 ? null : `https://github.com/acme/shop/commit/${index}`,
    })),
    commitCount: 612,
    issues: many(60, (index) =>
      buildIssue({
        key: `SHOP-${index}`,
        title: index % 5 === 0 ? null : text.repeat(4),
        status: index % 7 === 0 ? null : 'In review',
        state:
          (['linked', 'reverted', 'not_found', 'forbidden', 'pending', 'ignored'] as const)[
            index % 6
          ] ?? 'linked',
      }),
    ),
    testRuns: many(9, (index) =>
      buildTestRun({
        name: `${text} ${index}`,
        state: testStates[(index + 5) % testStates.length] ?? 'failed',
        reason: text,
        failed: index,
        warnings: many(3, () => text.repeat(4)),
        failing: many(30, (test) => `${text} ${test}`),
      }),
    ),
    configVersions: many(11, (index) => ({ schema: `schema-${index}`, version: index })),
  })
}

function everyForm(name: string, view: DeploymentView, moreUrl: string | null): MessageSample[] {
  const message = renderDeploymentMessage(view, moreUrl)
  const thread = renderThread(view, moreUrl)
  return [
    { name: `${name}, message`, message },
    ...(thread === undefined ? [] : [{ name: `${name}, details`, message: thread }]),
    { name: `${name}, failure`, message: renderFailure(view) },
    { name: `${name}, compact`, message: toCompact(message, moreUrl) },
    { name: `${name}, change`, message: toChange(message) },
    { name: `${name}, change of the failure`, message: toChange(renderFailure(view)) },
  ]
}

function deployments(): MessageSample[] {
  return [
    ...deploymentStates.flatMap((state) =>
      relations.map((relation) => ({
        name: `deployment ${state}, ${relation}`,
        message: renderDeploymentMessage(buildView({ state, relation, commitCount: 3 }), page),
      })),
    ),
    ...testStates.flatMap((state) => {
      const testRuns = [buildTestRun({ state, reason: 'It broke.', failing: ['cart adds'] })]
      return everyForm(`tests ${state}`, buildView({ testRuns }), page)
    }),
    ...durations.map((durationMs) => ({
      name: `took ${durationMs} ms`,
      message: renderFailure(
        buildView({ testRuns: [buildTestRun({ state: 'failed', durationMs })], durationMs }),
      ),
    })),
    ...everyForm('nothing but a commit', buildBareView(), null),
    ...everyForm('nothing but a commit, with a page', buildBareView(), page),
    ...everyForm('links that no browser opens', buildUnlinkedView(), 'javascript:alert(1)'),
    ...everyForm('long lists', buildLongView('Pay with a card'), page),
    ...everyForm('long lists without a page', buildLongView('Pay with a card'), null),
    ...everyForm('long hostile lists', buildLongView('<!channel> & :tada: *x* '), page),
    ...hostileTexts.flatMap((text, index) => everyForm(`hostile ${index}`, viewOf(text), page)),
  ]
}

function buildBareView(): DeploymentView {
  return buildView({
    who: null,
    durationMs: null,
    url: null,
    logUrl: null,
    commits: [],
    commitCount: 0,
    issues: [],
    testRuns: [],
    configVersions: [],
  })
}

function buildUnlinkedView(): DeploymentView {
  const url = 'https://user:password@evil.example/'
  return buildView({
    url,
    logUrl: `https://shop.example.com/${'x'.repeat(600)}`,
    issues: many(12, () => buildIssue({ url })),
    testRuns: [buildTestRun({ url: 'no address', state: 'timed_out', passed: null })],
  })
}

function notices(): MessageSample[] {
  const attention = {
    kind: 'tracker',
    provider: 'jira',
    account: null,
    reason: null,
    nextStep: null,
  }
  const states = ['reauth_required', 'suspended', 'degraded', 'disconnecting', 'disconnected']
  return [
    ...[...states, 'connected'].flatMap((state) =>
      [page, null].flatMap((url) => [
        {
          name: `integration ${state}, page ${url !== null}`,
          message: renderAttention({ ...attention, state }, url),
        },
        {
          name: `integration ${state} with a reason, page ${url !== null}`,
          message: renderAttention(
            {
              ...attention,
              provider: 'github',
              state,
              account: 'acme',
              reason: 'The App was uninstalled on GitHub.',
              nextStep: 'Connect it again, if that was not meant.',
            },
            url,
          ),
        },
      ]),
    ),
    ...[...hostileTexts, 'production'].flatMap((text, index) =>
      [page, null].flatMap((url) => noticesOf(text, index, url)),
    ),
  ]
}

function noticesOf(text: string, index: number, url: string | null): MessageSample[] {
  const texts = { account: text, reason: text, nextStep: text }
  const base = { environment: text, schema: text, version: 12, who: text, flags: [], proof: null }
  const name = `text ${index}, page ${url !== null}`
  return [
    {
      name: `integration, ${name}`,
      message: renderAttention(
        { ...texts, kind: 'codehost', provider: 'github', state: 'degraded' },
        url,
      ),
    },
    {
      name: `configuration, ${name}`,
      message: renderConfiguration({ ...base, comment: text, keys: many(12, () => text) }, url),
    },
    {
      name: `configuration without a comment, ${name}`,
      message: renderConfiguration({ ...base, comment: null, keys: [] }, url),
    },
    ...[1, 12].map((count) => ({
      name: `configuration of ${count} flags, ${name}`,
      message: renderConfiguration(
        { ...base, comment: text, keys: [], flags: many(count, () => buildFlagView(text)) },
        url,
      ),
    })),
    { name: `test, ${name}`, message: renderTestMessage({ organization: text, who: text, url }) },
  ]
}

const proofSamples: readonly (readonly [name: string, of: (text: string) => Partial<ProofView>])[] =
  [
    ['watched', () => ({})],
    ['that waits', () => ({ isWaiting: true })],
    ['proven', () => ({ state: 'proven' })],
    ['proven by a person', (text) => ({ state: 'proven', stoppedBy: text })],
    ['stopped', (text) => ({ state: 'stopped', stoppedBy: text })],
    ['without a result', (text) => ({ state: 'inconclusive', reason: text })],
    [
      'restored',
      (text) => ({
        state: 'failed',
        reason: text,
        notRestored: text,
        restored: many(9, (index) => ({ environment: text.repeat(index % 2), version: index })),
      }),
    ],
    ['failed', (text) => ({ state: 'failed', reason: text, notRestored: text })],
  ]

function proofs(): MessageSample[] {
  return [...hostileTexts, 'production'].flatMap((text, index) => [
    ...proofSamples.map(([name, of]) => ({
      name: `configuration ${name}, text ${index}`,
      message: renderConfiguration(
        {
          environment: text,
          schema: text,
          version: 12,
          who: text,
          comment: text,
          keys: [text],
          flags: [],
          proof: buildProofView(text, of(text)),
        },
        page,
      ),
    })),
    {
      name: `request of several proofs, text ${index}`,
      message: renderChangeRequest(
        buildRequestView(text, {
          state: 'applied',
          proofs: proofSamples.map(([, of]) => buildProofView(text, of(text))),
        }),
        page,
      ),
    },
  ])
}

const requestSamples: readonly (readonly [name: string, of: Partial<RequestView>])[] = [
  ...requestStates.map((state) => [state, { state }] as const),
  ['in conflict', { conflict: ['apiUrl'] }],
  ['without a key', { keys: [], reason: '', approvedBy: [], declines: [] }],
  ['too late', { state: 'failed', failure: 'too_late' }],
]

function requestsOf(text: string, index: number): MessageSample[] {
  const overridden = { who: text, comment: text, acknowledgedBy: text }
  const names = many(12, () => text)
  const declines = many(9, () => ({ who: text, text }))
  const all: typeof requestSamples = [
    ['overridden', { state: 'applied', overridden }],
    ['with more than is shown', { state: 'declined', keys: names, declines }],
  ]
  return all.map(([name, of]) => ({
    name: `request ${name}, text ${index}`,
    message: renderChangeRequest(buildRequestView(text, of), page),
  }))
}

function requests(): MessageSample[] {
  return [
    ...requestSamples.map(([name, of]) => ({
      name: `request ${name}`,
      message: renderChangeRequest(buildRequestView('production', of), page),
    })),
    ...hostileTexts.flatMap(requestsOf),
  ]
}

/** Returns an example of every message there is, in every state, with harmless, hostile and over-long content. */
export function listMessageSamples(): readonly MessageSample[] {
  return [...deployments(), ...notices(), ...requests(), ...proofs()]
}
