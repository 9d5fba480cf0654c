import fc from 'fast-check'
import type { DeploymentView } from '../../read-models/notifications/deployment-view.ts'
import { buildTestRun, buildView } from './build-view.ts'

const pieces = [
  '<!channel>', '<!here|x>', '<@U012AB>', '<#C01|general>', '<https://evil.example|Log>', '@here', '@everyone', '#general',
  ':tada:', '*bold*', '_it_', '~s~', '`code`', '```', '> quote', '&lt;!channel&gt;', '&amp;', '|', '>', '<', '&', '*', '_', '~', '`',
  '\n', '\r\n', '\u2028', '\u202e', '\u200b', '\u2060', '\ud800', '\0', '\u001b[31m', '👩‍💻', 'ß', 'x', ' ', 'https://evil.example/', '"', '\\',
] // prettier-ignore
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 400 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 400 }),
)
const hostileUrl = fc.oneof(
  fc.constant(null),
  fc.webUrl(),
  hostile.map((text) => `https://shop.example.com/${text}`),
  hostile,
  fc.constant('javascript:alert(1)'),
)
const issue = fc.record({
  key: hostile,
  state: fc.constantFrom('linked', 'reverted', 'not_found', 'ignored', 'pending'),
  title: fc.option(hostile),
  status: fc.option(hostile),
  url: hostileUrl,
})
const run = fc.record({
  name: hostile,
  state: fc.constantFrom('passed', 'failed', 'errored', 'timed_out', 'running'),
  reason: fc.option(hostile),
  url: hostileUrl,
  warnings: fc.array(hostile, { maxLength: 4 }),
  failing: fc.array(hostile, { maxLength: 30 }),
})
const commit = fc.record({
  sha: hostile,
  message: hostile,
  author: fc.option(hostile),
  url: hostileUrl,
})
/** Makes deployments of which every text, address and number is as bad as anybody could write it. */
export const hostileView: fc.Arbitrary<DeploymentView> = fc
  .record({
    environment: hostile,
    repository: hostile,
    ref: hostile,
    sha: hostile,
    relation: fc.constantFrom('first', 'forward', 'rollback', 'hotfix', 'same', 'unknown'),
    state: fc.constantFrom('waiting', 'in_progress', 'success', 'failure', 'superseded'),
    who: fc.option(hostile),
    url: hostileUrl,
    logUrl: hostileUrl,
    commits: fc.array(commit, { maxLength: 40 }),
    commitCount: fc.nat(2_000),
    issues: fc.array(issue, { maxLength: 60 }),
    testRuns: fc.array(
      run.map((of) => buildTestRun(of)),
      { maxLength: 12 },
    ),
    configVersions: fc.array(fc.record({ schema: hostile, version: fc.nat() }), { maxLength: 20 }),
  } as const)
  .map((of) => buildView(of))
