import {
  buildIssue,
  buildTestRun,
  buildView,
} from '../../packages/server/src/notifications/testing/build-view.ts'
import {
  renderAttention,
  renderConfiguration,
} from '../../packages/server/src/notifications/messages/render-attention.ts'
import { renderDeploymentMessage } from '../../packages/server/src/notifications/messages/render-deployment-message.ts'
import { renderTestMessage } from '../../packages/server/src/notifications/messages/render-test-message.ts'
import { renderThread } from '../../packages/server/src/notifications/messages/render-thread.ts'
import type { ChatMessage } from '../../packages/server/src/providers/chat/chat-message.ts'
import type { DeploymentView } from '../../packages/server/src/read-models/notifications/deployment-view.ts'

const page = 'https://signalbox.acme.dev/acme/deployments/dep_1'

const issues = [
  buildIssue({ key: 'SHOP-418', title: 'Pay with a card that was saved before', status: 'Done' }),
  buildIssue({ key: 'SHOP-421', title: 'Show the delivery date in the basket', status: 'In review' }),
  buildIssue({ key: 'SHOP-397', title: 'Round the taxes of an order (not of its lines)', status: 'In progress' }),
] // prettier-ignore

const commits = [
  { sha: 'a1b2c3d4e5f6', message: 'SHOP-418 Pay with a saved card', author: 'Grace Hopper', url: 'https://github.com/acme/shop/commit/a1b2c3d4e5f6' },
  { sha: 'b2c3d4e5f6a7', message: 'SHOP-421 Show the delivery date', author: 'Ada Lovelace', url: 'https://github.com/acme/shop/commit/b2c3d4e5f6a7' },
  { sha: 'c3d4e5f6a7b8', message: 'SHOP-397 Round the taxes of an order', author: 'Ada Lovelace', url: 'https://github.com/acme/shop/commit/c3d4e5f6a7b8' },
] // prettier-ignore

const succeeded = buildView({ who: 'grace', issues, commits, commitCount: 3 })

const failed = buildView({
  who: 'grace',
  issues,
  commits,
  commitCount: 3,
  testRuns: [
    buildTestRun({
      name: 'e2e.yml',
      state: 'failed',
      passed: 409,
      failed: 3,
      warnings: ['Another deployment went live while the tests ran.'],
      failing: [
        'checkout › pays with a saved card',
        'checkout › shows the delivery date',
        'basket.spec.ts › adds_two_items (Firefox)',
      ],
    }),
  ],
})

const broken = buildView({
  environment: 'staging',
  state: 'failure',
  relation: 'hotfix',
  ref: 'hotfix/SHOP-430-round_taxes',
  issues: issues.slice(2),
  commits: commits.slice(2),
  testRuns: [],
})

const running = buildView({
  environment: 'staging',
  state: 'in_progress',
  durationMs: null,
  issues: issues.slice(1),
  commits: commits.slice(1),
  commitCount: 2,
  testRuns: [buildTestRun({ name: 'e2e.yml', state: 'running', passed: null, failed: null, skipped: null, flaky: null, durationMs: null })],
}) // prettier-ignore

const waiting = buildView({
  state: 'waiting',
  durationMs: null,
  issues: [],
  testRuns: [],
  url: null,
})

/** Describes a message and those of its thread. */
export interface AcmeMessage {
  readonly message: ChatMessage
  readonly details?: ChatMessage
}

function render(view: DeploymentView): AcmeMessage {
  const details = renderThread(view, page)
  return { message: renderDeploymentMessage(view, page), ...(details !== undefined && { details }) }
}

/** Lists what a channel of Acme shows after an ordinary day. */
export const acmeMessages: readonly AcmeMessage[] = [
  { message: renderTestMessage({ organization: 'Acme', who: 'Ada', url: page }) },
  render(succeeded),
  render(failed),
  render(broken),
  render(waiting),
  {
    message: renderConfiguration(
      {
        environment: 'production',
        schema: 'shop',
        version: 12,
        who: 'Ada Lovelace',
        comment: 'The card payments are stable.',
        keys: ['catalogPageSize', 'smtp_host'],
        flags: [
          {
            key: 'new_checkout',
            change: 'changed',
            before: false,
            after: true,
            rulesAfter: [],
          },
        ],
        proof: null,
      },
      page,
    ),
  },
  {
    message: renderAttention(
      {
        kind: 'tracker',
        provider: 'jira',
        account: 'acme.atlassian.net',
        state: 'reauth_required',
        reason: 'Jira has ended the access.',
        nextStep: 'Connect it again.',
      },
      page,
    ),
  },
  render(running),
]
