import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn()
const guides = join(import.meta.dirname, '../../../../../docs/guide')
const idToken = `${'e'.repeat(40)}.${'p'.repeat(40)}.${'s'.repeat(40)}`
const sha = '4f1c2aa'.padEnd(40, '0')

interface Job {
  readonly env?: Record<string, string>
  readonly variables?: Record<string, string>
  readonly steps?: readonly { readonly run?: string }[]
  readonly script?: readonly string[]
  readonly id_tokens?: Record<string, { readonly aud: string }>
  readonly 'enable-openid-connect'?: boolean
}
interface Pipeline {
  readonly env?: Record<string, string>
  readonly permissions?: Record<string, string>
  readonly jobs?: Record<string, Job>
}

/** Returns the files of a guide, each with the job that starts the command, as the host reads it. */
function readFiles(guide: string) {
  const text = readFileSync(join(guides, `${guide}.md`), 'utf8')
  return [...text.matchAll(/```yaml\n([^]*?)```/g)].flatMap(([, source = '']) => {
    const file = parse(source) as Pipeline & Record<string, Job>
    return Object.values(file.jobs ?? file).flatMap((job) => {
      const lines = job.script ?? job.steps?.flatMap(({ run = '' }) => run) ?? []
      const command = lines.find((line) => line.startsWith('npx --no-install signalbox '))
      return command === undefined ? [] : [{ file, job, args: command.split(' ').slice(3) }]
    })
  })
}

type GuideJob = ReturnType<typeof readFiles>[number]

/** Runs the job's command with what its host gives it: a token only where the file asks for one. */
async function start({ file, job, args }: GuideJob) {
  const actions = createServer((_, response) => response.end(JSON.stringify({ value: idToken })))
  await new Promise<void>((resolve) => actions.listen(0, '127.0.0.1', resolve))
  const { port } = actions.address() as AddressInfo
  const own = { ...file.env, ...job.env, ...job.variables }
  const mayAsk = file.permissions?.['id-token'] === 'write' || job['enable-openid-connect'] === true
  const declared = job.id_tokens?.['SIGNALBOX_ID_TOKEN']?.aud
  const ofHost = {
    ...(job.script === undefined
      ? { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_SHA: sha }
      : { GITLAB_CI: 'true', CI_PROJECT_PATH: 'acme/shop', CI_COMMIT_SHA: sha }),
    ...(mayAsk && {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request',
    }),
    ...(declared === own['SIGNALBOX_URL'] && { SIGNALBOX_ID_TOKEN: idToken }),
  }
  server.state.tokens.add(idToken)
  writeDefinition(place, oneOfEach)
  const env = { ...own, ...ofHost, SIGNALBOX_TOKEN: '', SIGNALBOX_URL: server.url }
  // The stand-in lets nothing go on to production, so nobody waits for it here.
  const wait = args.indexOf('--wait')
  const shortened = wait === -1 ? args : args.toSpliced(wait, 2)
  const result = await place.run(shortened, { env })
  actions.close()
  return result
}

const sent = () =>
  server.seen.map(({ method, path, headers }) => `${method} ${path} ${headers.authorization}`)

describe('the files of the guides work without a secret, at each of three hosts', () => {
  it('to the check on the pull request', async () => {
    const files = readFiles('pull-requests')
    expect(files).toHaveLength(3)
    for (const file of files) {
      server.seen.length = 0
      expect(await start(file)).toMatchObject({ code: 0 })
      expect(sent()).toEqual([`POST /organizations/acme/commit-checks Bearer ${idToken}`])
    }
  })

  it('to gates, and deploy only after the job that asks', async () => {
    const files = readFiles('gates')
    expect(files).toHaveLength(3)
    for (const file of files) {
      server.seen.length = 0
      expect(await start(file)).toMatchObject({ code: 9 })
      expect(sent()).toEqual([`POST /organizations/acme/gate Bearer ${idToken}`])
      const { jobs, ...others } = file.file as { jobs?: { deploy: object } }
      const order = jobs === undefined ? '"stages":["gate","deploy"]' : '"needs":"gate"'
      expect(JSON.stringify(jobs?.deploy ?? others)).toContain(order)
    }
  })
})
