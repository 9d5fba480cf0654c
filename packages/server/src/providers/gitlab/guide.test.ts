import { readFileSync } from 'node:fs'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import { createPipelineTokens } from '../../test-runs/reports/verify-pipeline-token.ts'
import { parseCiFile } from './ci-file.ts'
import { gitlabPipelineTokens } from './pipeline-tokens.ts'
import { openGitlab, type OpenGitlab } from './testing/open-gitlab.ts'

const guide = readFileSync(new URL('./guide.md', import.meta.url), 'utf8')
const [, file = '', upload = ''] = [...guide.matchAll(/^```yaml\n(.*?)^```/gms)].map(
  ([, text = '']) => text,
)

const ciFile = z.object({
  workflow: z.object({ name: z.string() }),
  e2e: z.object({
    script: z.array(z.string()).min(1),
    artifacts: z.object({ when: z.literal('always'), reports: z.object({ junit: z.string() }) }),
  }),
})
const uploadJob = z.object({
  e2e: z.object({
    id_tokens: z.object({ SIGNALBOX_ID_TOKEN: z.object({ aud: z.url() }) }),
    variables: z.object({ SIGNALBOX_URL: z.url(), SIGNALBOX_ORGANIZATION: z.string() }),
    after_script: z.array(z.string()).length(1),
  }),
})

let opened: OpenGitlab
beforeAll(async () => {
  opened = await openGitlab()
})
afterAll(() => opened.close())

it('the CI file of the guide runs as it stands: started, recognized, its results read, its token taken', async () => {
  const { gitlab, sandbox, egress, webUrl } = opened
  const shop = opened.addShop()
  const api = opened.apiWith(['api'])
  const body = ciFile.parse(parseAllDocuments(file).at(-1)?.toJS())
  const { inputs = [] } = parseCiFile(Buffer.from(file)) ?? {}
  expect(inputs.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['test_run_id', false],
    ['environment_url', false],
  ])
  gitlab.activity.setCi(shop.project, {
    inputs: inputs.map(({ name }) => ({ name, default: '' })),
    workflowName: body.workflow.name,
    jobs: [{ name: 'e2e', stage: 'test', environment: undefined }],
  })

  const mark = newId('run', sandbox.clock.now())
  const url = 'https://shop.example.com'
  const started = await api.workflows.start(shop.id, {
    workflowId: 'pipeline',
    ref: 'main',
    inputs: { test_run_id: mark, environment_url: url },
  })
  const runId = started.outcome === 'started' ? started.runId : ''
  expect(await api.workflows.findRun(shop.id, runId)).toMatchObject({ correlation: mark })

  const pipeline = shop.project.pipelines.get(Number(runId))
  if (pipeline === undefined) throw new Error('Nothing was started')
  const test = { status: 'success', name: 'pays', classname: 'shop', executionTime: 1 } as const
  gitlab.activity.setTestReport(pipeline, [test])
  expect(await api.testReports.read(shop.id, runId)).toMatchObject({ passed: 1, failed: 0 })

  const job = uploadJob.parse(parse(upload)).e2e
  const audience = job.id_tokens.SIGNALBOX_ID_TOKEN.aud
  expect(job.variables.SIGNALBOX_URL).toBe(audience)
  expect(job.after_script[0]).toContain(`${body.e2e.artifacts.reports.junit} --run`)
  const tokens = createPipelineTokens({
    issuers: [gitlabPipelineTokens('gitlab', webUrl)],
    audience: () => audience,
    egress,
    now: () => sandbox.clock.now(),
  })
  const token = gitlab.issueJobToken({ project: shop.project, pipeline, audience })
  expect(await tokens.verify(token)).toEqual({
    provider: 'gitlab',
    repositoryExternalId: shop.id,
    runId,
    attempt: 1,
    isRefProtected: true,
    sha: pipeline.sha,
    ref: 'refs/heads/main',
  })
})
