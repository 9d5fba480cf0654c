import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { visit } from '@signalbox/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Egress } from '../../egress/create-egress.ts'
import { createGitlabApi, type GitlabApi } from './api.ts'
import { createGitlabRequests } from './api-request.ts'
import { createGitlabConnector } from './connector.ts'
import { instanceOf } from './instance.ts'
import { createGitlabIssuesApi } from './issues/api.ts'
import { openDocument, type ObservedCall } from './testing/openapi-document.ts'
import { openGitlab, type OpenGitlab } from './testing/open-gitlab.ts'

/** Names GitLab's own document, which is too large to be kept here: CONTRIBUTING.md says where it is. */
const path = process.env['GITLAB_OPENAPI']

/** Lists what is known to be right although the document says otherwise, each with the reason. */
const excused: readonly (readonly [objection: RegExp, reason: string])[] = [
  [
    /^GET \/api\/v4\/(?:user|projects\/[^/]+\/issues) is not/,
    'The document leaves these calls out.',
  ],
  [/^GET \/api\/v4\/projects: answer/, 'A member is shown more than what the document lists.'],
  [
    /test_report_summary: answer\.total is a object/,
    'The guide shows the sums, which are an object.',
  ],
  [
    /pipelines: the parameter created_(?:after|before)|pipeline: the field inputs/,
    'Newer than the second version, of March 2025. The third has them.',
  ],
  [/pipelines?(?:\/\S+)?: answer\.archived/, 'Newer than the second version.'],
  [
    /hooks(?:\/\S+)?: answer(?:\[\])?\.(?:signing_)?token_present/,
    'Newer than the second version.',
  ],
  [/pipelines: answer\[\]\.name/, 'The guide shows the name, and so does its list.'],
]

type Shop = ReturnType<OpenGitlab['addShop']>

let opened: OpenGitlab
const calls: ObservedCall[] = []

beforeAll(async () => {
  opened = await openGitlab()
  await callEverything()
})
afterAll(() => opened.close())

const parseJson = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))

/** Returns an egress that keeps what is asked of the REST API, and what is answered. */
function observe(egress: Egress): Egress {
  return {
    ...egress,
    async request(text, options = {}) {
      const answer = await egress.request(text, options)
      const url = new URL(text.replace(opened.webUrl, 'https://gitlab.example'))
      if (url.pathname.startsWith('/api/v4')) {
        calls.push({
          method: options.method ?? 'GET',
          url,
          body: Object(parseJson(String(options.body ?? ''))),
          status: answer.status,
          answer: parseJson(answer.body.toString('utf8')),
        })
      }
      return answer
    },
  }
}

/** Makes each call of the provider once at least, against the pretended GitLab. */
async function callEverything(): Promise<void> {
  const { sandbox, webUrl } = opened
  const egress = observe(opened.egress)
  const now = () => sandbox.clock.now()
  const token = await connect(egress)
  const options = {
    call: { provider: 'gitlab', egress, now },
    webUrl,
    withAccessToken: <T>(send: (accessToken: string) => Promise<T>) => send(token),
  }
  const api = createGitlabApi({ ...options, scopes: ['api'] })
  const shop = opened.addShop()
  await readDeployments(api, shop)
  await runPipelines(api, shop)
  await installHooks(api, shop)
  opened.gitlab.activity.openIssue(shop.project, { title: 'Fails', author: shop.user })
  const issues = createGitlabIssuesApi(createGitlabRequests(options), instanceOf(webUrl))
  await issues.findIssues(['acme/shop#1'])
  await issues.listProjects({ query: 'shop', page: undefined, limit: 20 })
}

/** Connects as a person does, and returns the access token. */
async function connect(egress: Egress): Promise<string> {
  const { gitlab, sandbox, webUrl } = opened
  const redirectUri = 'http://127.0.0.1:4400/integrations/codehost/oauth/callback'
  gitlab.app.redirectUris = [redirectUri]
  const { clientId, clientSecret } = gitlab.app
  const connector = createGitlabConnector({
    provider: 'gitlab',
    webUrl,
    app: { clientId, clientSecret },
    egress,
    now: () => sandbox.clock.now(),
  })
  const authorizeUrl = connector.authorizeUrl({ state: 's', redirectUri, codeChallenge: undefined })
  const code = (await visit(authorizeUrl, 'allow', redirectUri)).get('code') ?? ''
  const connected = await connector.connect({ code, redirectUri, codeVerifier: undefined })
  if (typeof connected === 'string' || connected.grant === null) throw new Error('Not connected')
  return connected.grant.accessToken
}

async function readDeployments(api: GitlabApi, { id, project, user }: Shop): Promise<void> {
  const { activity } = opened.gitlab
  const push = (message: string) =>
    activity.push(project, { branch: 'main', user, commits: [{ message }] }).sha
  const [base, head] = [push('ABC-1 Begin'), push('ABC-2 Go on')]
  const pipeline = activity.startPipeline(project, { ref: 'main', user })
  const of = { ref: 'main', environment: 'production', user, pipeline }
  const deployment = activity.deploy(project, of)
  activity.setDeploymentStatus(project, deployment, 'success')
  await api.listRepositories()
  await api.deployments.listEnvironments(id)
  await api.deployments.list(id)
  await api.deployments.list(id, undefined, new Date(0))
  await api.deployments.count(id)
  await api.deployments.read(id, String(deployment.id))
  await api.commits.compare(id, base, head)
  await api.commits.get(id, head)
}

async function runPipelines(api: GitlabApi, { id, project, user }: Shop): Promise<void> {
  const { gitlab, sandbox } = opened
  const { activity } = gitlab
  const tested = activity.startPipeline(project, { ref: 'main', user })
  const failed = { name: 'pays', classname: 'shop', status: 'failed', executionTime: 1 } as const
  activity.setTestReport(tested, [{ ...failed, systemOutput: 'got 0' }])
  activity.setPipelineStatus(project, tested, 'success')
  await api.testReports.read(id, String(tested.id))
  await api.workflows.list(id)
  const jobs = [{ name: 'e2e', stage: 'test', environment: undefined }]
  const start = { workflowId: 'pipeline', ref: 'main', inputs: { test_run_id: 'run_1' } } as const
  // With the inputs that the file declares, and with variables where it declares none.
  for (const inputs of [[{ name: 'test_run_id' }], []]) {
    activity.setCi(project, { inputs, jobs })
    await api.workflows.start(id, start)
  }
  const at = (ms: number) => new Date(sandbox.clock.now().getTime() + ms)
  const within = { workflowId: 'pipeline', from: at(-60_000), to: at(60_000) }
  const { runs } = await api.workflows.listRequestedRuns(id, within)
  await api.workflows.findRun(id, runs[0]?.externalId ?? '')
}

/** Makes a webhook, changes it, and removes it. */
async function installHooks({ hooks }: GitlabApi, { id }: Shop): Promise<void> {
  const asked = {
    url: 'http://127.0.0.1:9/webhooks/gitlab/int_1',
    secrets: ['s'],
    hooks: [],
    formerPaths: [],
  }
  const made = await hooks?.install({ ...asked, repositoryIds: [id], withIssues: false })
  const again = { ...asked, hooks: made?.hooks ?? [], withIssues: true }
  await hooks?.install({ ...again, repositoryIds: [id] })
  await hooks?.install({ ...again, repositoryIds: [] })
}

describe('the calls of GitLab', () => {
  it('are all of them', () => {
    const names = calls.map(({ method, url }) => {
      const place = url.pathname.replaceAll(/\/(?:\d+|[0-9a-f]{40}|acme%2Fshop)(?=\/|$)/g, '/:id')
      return `${method} ${place.replace('/api/v4', '')}`
    })
    expect([...new Set(names)].toSorted()).toEqual([
      'DELETE /projects/:id/hooks/:id',
      'GET /projects',
      'GET /projects/:id',
      'GET /projects/:id/deployments',
      'GET /projects/:id/deployments/:id',
      'GET /projects/:id/environments',
      'GET /projects/:id/hooks',
      'GET /projects/:id/issues',
      'GET /projects/:id/pipelines',
      'GET /projects/:id/pipelines/:id',
      'GET /projects/:id/pipelines/:id/test_report',
      'GET /projects/:id/pipelines/:id/test_report_summary',
      'GET /projects/:id/pipelines/:id/variables',
      'GET /projects/:id/repository/commits',
      'GET /projects/:id/repository/commits/:id',
      'GET /projects/:id/repository/files/.gitlab-ci.yml',
      'GET /projects/:id/repository/merge_base',
      'GET /user',
      'GET /version',
      'POST /projects/:id/hooks',
      'POST /projects/:id/pipeline',
      'PUT /projects/:id/hooks/:id',
    ])
  })

  it.skipIf(path === undefined)(
    'are as GitLab’s own document has them',
    async () => {
      const judge = openDocument(await readFile(path ?? '', 'utf8'))
      const judged = calls.map(judge)
      const objections = new Set(judged.flatMap((each) => each.objections))
      const known = judged.filter(({ isAnswerKnown }) => isAnswerKnown).length
      console.log(`gitlab: ${known} of ${calls.length} answers are described by the document`)
      const left = [...objections].filter((each) => !excused.some(([known]) => known.test(each)))
      expect(left).toEqual([])
      expect(known).toBeGreaterThan(calls.length / 2)
    },
    120_000,
  )
})

describe('control: a document', () => {
  const written = `
    paths:
      /api/v4/things/{id}:
        parameters: [{ name: id, in: path, required: true, type: string }]
        get:
          parameters: [{ name: 'iids', in: query }, { name: sort, in: query, required: true }]
          responses: { '200': { schema: { $ref: '#/definitions/Thing' } } }
        post:
          parameters: [{ name: Body, in: body, schema: { $ref: '#/definitions/Body' } }]
    definitions:
      Body: { type: object, required: [url], properties: { url: { type: string } } }
      Thing:
        type: object
        properties: { id: { type: integer }, owner: { type: object, properties: { name: {} } } }`
  const judge = (
    request: string,
    more: Partial<Pick<ObservedCall, 'body' | 'answer'>> = {},
  ): readonly string[] => {
    const [method = '', place = ''] = request.split(' ')
    const url = new URL(place, 'https://gitlab.example')
    return openDocument(written)({ method, url, body: {}, status: 200, answer: undefined, ...more })
      .objections
  }

  it('has nothing against a call that it describes', () => {
    const answer = [{ id: 1, owner: { name: 'Ada' } }, { owner: null }]
    expect(judge('GET /api/v4/things/a%2Fb?iids[]=1&sort=asc&page=2', { answer })).toEqual([])
    expect(judge('POST /api/v4/things/1', { body: { url: 'x' } })).toEqual([])
  })

  it('is read as OpenAPI 3 as well', () => {
    const json = (name: string) =>
      `{ content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }`
    const third = `
      paths:
        /api/v4/things:
          post:
            parameters: [{ name: mode, in: query, schema: { type: string } }]
            requestBody: ${json('Body')}
            responses: { '201': ${json('Thing')} }
      components:
        schemas:
          Body: { type: object, required: [url], properties: { url: { type: string } } }
          Thing: { type: object, properties: { id: { oneOf: [{ type: integer }] } } }`
    const of = { method: 'POST', url: new URL('https://gitlab.example/api/v4/things?mode=x') }
    const judgeThird = openDocument(third)
    const good = { ...of, body: { url: 'x' }, status: 201, answer: { id: 1 } }
    expect(judgeThird(good)).toEqual({ objections: [], isAnswerKnown: true })
    const bad = { ...good, body: { uri: 'x' }, answer: { iid: 1 } }
    expect(judgeThird(bad).objections).toHaveLength(3)
  })

  it.each([
    ['GET /api/v4/others/1', {}, 'is not in the document'],
    ['DELETE /api/v4/things/1', {}, 'is not in the document'],
    ['GET /api/v4/things/1?sort=asc&order=x', {}, 'the parameter order is not in the document'],
    ['GET /api/v4/things/1', {}, 'the parameter sort is missing'],
    ['POST /api/v4/things/1', { body: { uri: 'x' } }, 'the field uri is not in the document'],
    ['POST /api/v4/things/1', {}, 'the field url is missing'],
    ['GET /api/v4/things/1?sort=asc', { answer: { iid: 1 } }, 'answer.iid is not in the document'],
    [
      'GET /api/v4/things/1?sort=asc',
      { answer: [{ owner: { login: 'ada' } }] },
      'answer[].owner.login is not in the document',
    ],
    ['GET /api/v4/things/1?sort=asc', { answer: { id: 'x' } }, 'answer.id is a string'],
  ])('objects to %s with %j: %s', (request, more, objection) => {
    expect(judge(request, more).join()).toContain(objection)
  })
})
