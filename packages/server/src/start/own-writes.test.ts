import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from './service.ts'
import { openNodes, type Nodes } from './testing/open-nodes.ts'

interface Written {
  readonly version: number
}

interface Key {
  readonly id: string
  readonly secret: string
}

const turns = Array.from({ length: 20 }, (_, turn) => turn)

let nodes: Nodes
let first: Service
let second: Service
let org: string
let target: object
let snapshot: string

beforeAll(async () => {
  nodes = await openNodes()
  first = await nodes.start()
  second = await nodes.start()
  ;({ org, target, snapshot } = await nodes.addConfiguration(first))
})

afterAll(() => nodes.close())

const addKey = (node: Service) =>
  nodes.call<Key>(node, `POST ${org}/api-keys`, { name: 'a key', kind: 'b2m' })

async function read(url: string | undefined, path: string, { secret }: Key) {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${secret}` } })
  const body = (await answer.json()) as { readonly public?: { readonly theme?: string } }
  return { status: answer.status, theme: body.public?.theme }
}

describe('a node', () => {
  it('serves what it wrote at both addresses, and the version that it named, from its answer on', async () => {
    const key = await addKey(first)
    const { apiUrl, configUrl } = first
    for (const turn of turns) {
      const theme = `theme ${turn}`
      const write = { ...target, values: { theme } }
      const { version } = await nodes.call<Written>(first, `PUT ${org}/config-values`, write)
      const served = { status: 200, theme }
      expect(await read(configUrl, `${snapshot}/${version}`, key)).toEqual(served)
      expect(await read(configUrl, snapshot, key)).toEqual(served)
      expect(await read(apiUrl, snapshot, key)).toEqual(served)
    }
  })

  it('accepts a key that it or another node has just made', async () => {
    for (const _ of turns) {
      const key = await addKey(first)
      const answers = await Promise.all(
        [first, second].map(({ configUrl }) => read(configUrl, snapshot, key)),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    }
  })

  it('accepts such a key at its API', async () => {
    const key = await nodes.call<Key>(first, `POST ${org}/api-keys`, { name: 'a key', kind: 'm2m' })
    const headers = { authorization: `Bearer ${key.secret}` }
    const answer = await fetch(`${second.apiUrl}${org}/environments`, { headers })
    expect(answer.status).toBe(200)
  })
})
