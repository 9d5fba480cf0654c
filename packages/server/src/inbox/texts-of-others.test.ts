import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { providers } from '../providers/registry.ts'
import { sendsWebhooks } from '../providers/find-provider.ts'
import { readProviderJson } from '../providers/call-provider.ts'
import { readWebhookSamples } from '../providers/github/testing/webhook-samples.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'

let test: TestStore
beforeAll(async () => {
  test = await openTestStore()
})
afterAll(() => test.close())

/** Ways to write what PostgreSQL refuses in `text` or in `jsonb`. */
const nasty = ['\0', 'a\0b', '\uD83D', '\uDE00', '\uDE00\uD83D', '\uD83D\uD83D\uDE00', '\uD83D\0']
/** Lists texts that have to come through unchanged. */
const plain = ['\r', '\f', '\u001B[31m', '\u0085', '\u2028', '\u{1F600}', '\\u0000', '\u202E']
const planted = [...nasty, ...plain].join(' ')

const at = '2026-11-28T12:00:00Z'
const repository = { id: 7, full_name: 'acme/shop', html_url: 'https://code.test/acme/shop' }
const project = { id: 7, path_with_namespace: 'acme/shop', web_url: 'https://code.test/acme/shop' }
const pipeline = [
  {
    event: 'Pipeline Hook',
    payload: {
      project: { ...project, default_branch: 'main' },
      object_attributes: { id: 5, sha: 'a1', ref: 'main', status: 'success', created_at: at },
    },
  },
]
const samples: Readonly<Record<string, readonly { readonly event: string; payload: unknown }[]>> = {
  github: ['deployment', 'deployment_status', 'push', 'workflow_run', 'installation'].flatMap(
    (name) => readWebhookSamples().find(({ event }) => event === name) ?? [],
  ),
  gitlab: pipeline,
  'gitlab-self-managed': pipeline,
  forgejo: [
    {
      event: 'action_run_success',
      payload: {
        run: {
          id: 5,
          title: 'Ship',
          workflow_id: 'ci.yml',
          commit_sha: 'a1',
          prettyref: 'main',
          status: 'success',
          html_url: 'https://code.test/acme/shop/actions/runs/5',
          created: at,
          updated: at,
          repository: { ...repository, default_branch: 'main' },
        },
      },
    },
  ],
  linear: [{ event: 'Issue', payload: { data: { id: '7', identifier: 'ABC-1' } } }],
  slack: [
    {
      event: 'channel_rename',
      payload: { event: { type: 'channel_rename', channel: { id: 'C1', name: 'ships' } } },
    },
  ],
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Each copy of a value with what is planted behind one of its texts. */
function* plant(value: unknown): Generator {
  if (typeof value === 'string') yield value + planted
  if (!isRecord(value)) return
  for (const [name, inner] of Object.entries(value)) {
    for (const changed of plant(inner)) {
      yield Array.isArray(value)
        ? value.map((each, index) => (index === Number(name) ? changed : each))
        : { ...value, [name]: changed }
    }
  }
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  if (!isRecord(value) || value instanceof Date) return
  for (const [name, inner] of Object.entries(value)) {
    yield name
    yield* textsIn(inner)
  }
}

/** Stores texts as a column and as a part of JSON, and returns what comes back. */
async function store(texts: readonly string[]): Promise<unknown> {
  const [row] = await test.asOwner(
    `select array(select each from unnest($1::text[]) as each) as texts, $2::jsonb as parts,
       array(select part #>> '{}' from json_array_elements($2::json) as part) as named`,
    [texts, JSON.stringify(texts)],
  )
  return row
}

describe('each text of a webhook', () => {
  // Nothing that Discord says is stored: each event is ignored, with a reason of ours.
  const sending = providers.filter(sendsWebhooks).filter(({ name }) => name !== 'discord')

  it.each(sending.map((provider) => [provider.name, provider] as const))(
    'of %s can be stored, whatever it holds',
    async (name, provider) => {
      const known = samples[name]
      if (known === undefined) throw new Error(`Add samples of ${name}`)
      const read = new Set<string>()
      for (const { event, payload } of known) {
        for (const changed of plant(payload)) {
          const body = Buffer.from(JSON.stringify(changed))
          for (const each of textsIn(provider.webhooks.parse(event, body, null))) read.add(each)
        }
      }
      const texts = [...read]
      const came = (part: string) => texts.some((text) => text.includes(part))
      // Texts of the webhooks did come through, with what was planted.
      expect(['\uFFFD', '\u{1F600}', '\f'].map(came)).not.toContain(false)
      expect(await store(texts)).toEqual({ texts, parts: texts, named: texts })
    },
  )
})

describe('each text of an answer', () => {
  it('can be stored, in names and in values, as deep as it is', async () => {
    const answer = { [`a${nasty.join('')}`]: [{ b: nasty }, ...plain], id: '9007199254740993' }
    const body = Buffer.from(JSON.stringify(answer))
    const texts = [...textsIn(readProviderJson('any', { status: 200, headers: {}, body }))]
    expect(texts).toContain('9007199254740993')
    expect(texts).toEqual(expect.arrayContaining(plain))
    expect(await store(texts)).toEqual({ texts, parts: texts, named: texts })
  })

  it('control: as it came, it cannot', async () => {
    await expect(store(['\0'])).rejects.toMatchObject({ code: '22021' })
    await expect(store(['\uD83D'])).rejects.toMatchObject({ code: '22P02' })
  })
})
