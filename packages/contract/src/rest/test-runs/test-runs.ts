import { z } from 'zod/v4'
import { developerOrKey, open, org, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import {
  commitSha,
  givenDisplayName,
  id,
  page,
  pageQuery,
  repositoryName,
  webLink,
} from '../shapes.ts'
import { testRun, testRunStates } from './shapes.ts'

const count = z.number().int().min(0).max(10_000_000)

export const testRunEndpoints = declareEndpoints({
  tag: 'Test runs',
  topics: ['test_run', 'deployment'],
})({
  createTestRun: {
    method: 'POST',
    path: `${org}/test-runs`,
    summary: 'Record a test run, of a deployment or of a commit.',
    access: developerOrKey,
    body: z.strictObject({
      deploymentId: id('dep').optional(),
      environment: z.string().max(255).optional(),
      sha: commitSha.optional(),
      name: givenDisplayName,
      externalId: z.string().min(1).max(100).optional(),
      url: webLink.optional(),
    }),
    response: { status: 201, body: testRun },
  },
  listTestRuns: {
    method: 'GET',
    path: `${org}/test-runs`,
    summary: 'The test runs, newest first.',
    access: viewerOrKey,
    query: z.strictObject({
      ...pageQuery,
      deploymentId: id('dep').optional(),
      environmentId: id('env').optional(),
      repository: repositoryName.optional(),
      state: z.enum(testRunStates).optional(),
    }),
    response: { status: 200, body: page(testRun) },
    topics: ['test_run'],
    problems: ['invalid_cursor'],
  },
  getTestRun: {
    method: 'GET',
    path: `${org}/test-runs/{run_id}`,
    summary: 'One test run.',
    access: viewerOrKey,
    response: { status: 200, body: testRun },
    topics: ['test_run'],
  },
  updateTestRun: {
    method: 'PATCH',
    path: `${org}/test-runs/{run_id}`,
    summary: 'Update a test run.',
    access: developerOrKey,
    body: z.strictObject({
      state: z.enum(['queued', 'running', 'passed', 'failed', 'errored', 'cancelled']).optional(),
      passed: count.optional(),
      failed: count.optional(),
      skipped: count.optional(),
      durationMs: count.optional(),
      url: webLink.optional(),
    }),
    response: { status: 200, body: testRun },
  },
  uploadTestReport: {
    method: 'POST',
    path: `${org}/test-runs/{run_id}/report`,
    summary:
      'Upload a report: CTRF as JSON, or JUnit as XML. Shards add up; uploading the same bytes again changes nothing.',
    access: open,
    bodyLimitBytes: 20 * 1024 * 1024,
    query: z.strictObject({
      shard: z
        .string()
        .max(100)
        .optional()
        .describe('Name of this part of the run. Uploading it again replaces it.'),
      parts: z.coerce
        .number()
        .int()
        .min(1)
        .max(5000)
        .optional()
        .describe('How many parts the sender sends. Until all are there, the run has not passed.'),
      missing: z
        .string()
        .min(1)
        .max(300)
        .optional()
        .describe('Why the sender cannot send this part. The body is not read.'),
      repeats: z
        .enum(['tests', 'retries'])
        .default('tests')
        .describe('What tests of one name in a report are: each counts, or the last one does.'),
    }),
    response: { status: 200, body: testRun },
    problems: [
      'invalid_report',
      'invalid_credentials',
      'missing_credentials',
      'network_forbidden',
      'key_read_only',
    ],
  },
})
