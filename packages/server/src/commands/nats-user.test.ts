import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../store/testing/test-database.ts'
import { readSettings } from '../settings.ts'
import { natsUserCommand } from './nats-user.ts'

const acme = 'org_0000000000000000000000acme'
const globex = 'org_00000000000000000000globex'

let database: TestDatabase
let directory: string
const at = (name: string) => join(directory, name)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-nats-user-'))
  database = await createTestDatabase()
  await database.asOwner(
    `insert into organizations (id, slug, name, created_at)
     values ($1, 'acme', 'Acme', now()), ($2, 'globex', 'Globex', now())`,
    [acme, globex],
  )
})
afterAll(async () => {
  await database.drop()
  await rm(directory, { recursive: true })
})

/** Runs the command with the settings of a worker, and returns its output. */
async function run(
  groups: string,
  operands: readonly string[],
  json = false,
  more: Readonly<Record<string, string>> = {},
) {
  const out: string[] = []
  const err: string[] = []
  const settings = () =>
    readSettings({
      DATABASE_URL: database.databaseUrl,
      SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
      SIGNALBOX_NATS_URL: 'tls://nats.example.com:4222',
      SIGNALBOX_NATS_GROUPS: groups,
      ...more,
    })
  await natsUserCommand({
    settings,
    operands,
    json,
    force: false,
    events: {},
    terminal: { out: (line) => out.push(line), err: (line) => err.push(line), isTerminal: false },
  })
  return { out: out.join('\n'), err: err.join('\n') }
}

async function publicKeyOf(file: string): Promise<string> {
  const seed = (await readFile(at(file), 'utf8')).trim()
  return nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey()
}

describe('nats-user', () => {
  it('writes the seed to a file of its owner alone, and prints the public half with the rights', async () => {
    const { out, err } = await run('eu:acme', ['eu', at('eu.seed')])
    const seed = (await readFile(at('eu.seed'), 'utf8')).trim()
    expect([seed.slice(0, 2), (await stat(at('eu.seed'))).mode & 0o777]).toEqual(['SU', 0o600])
    expect(out + err).not.toContain(seed)
    expect(out).toContain(`nkey: ${await publicKeyOf('eu.seed')}`)
    expect(out.match(/"[^"]+"/g)).toEqual([
      '"$JS.API.DIRECT.GET.KV_signalbox.$KV.signalbox._g.eu.>"',
      '"$JS.API.DIRECT.GET.KV_signalbox.$KV.signalbox._.>"',
      `"$JS.API.DIRECT.GET.KV_signalbox.$KV.signalbox.${acme}.>"`,
      '"signalbox.signalbox.report.eu"',
      '"signalbox.signalbox.now.eu"',
      '"_INBOX_eu.>"',
    ])
  })

  it('prints the rights of today for a file that is there, and leaves its seed', async () => {
    const before = await run('us:acme', ['us', at('us.seed')])
    const after = await run(`us:acme+${globex}`, ['us', at('us.seed')])
    expect(after.err).toContain('was there already')
    expect(after.out).toContain(`nkey: ${await publicKeyOf('us.seed')}`)
    expect([before.out.includes(globex), after.out.includes(globex)]).toEqual([false, true])
  })

  it('gives the group of all every organization, and the publisher what it publishes with', async () => {
    const { out } = await run('', ['all', at('all.seed')])
    expect(out).toContain('"$JS.API.DIRECT.GET.KV_signalbox.$KV.signalbox.>"')
    const publisher = await run('', ['publisher', at('publisher.seed')], true)
    const printed = JSON.parse(publisher.out)
    expect(printed).toMatchObject({ name: 'publisher', isNew: true })
    expect(printed.nkey).toBe(await publicKeyOf('publisher.seed'))
    expect(printed.permissions.publish).toContain('$KV.signalbox.>')
    expect(JSON.stringify(printed)).not.toContain('STREAM.DELETE')
  })

  it('names the domain of the servers that store, where there is one', async () => {
    const domain = { SIGNALBOX_NATS_DOMAIN: 'hub' }
    const node = await run('eu:acme', ['eu', at('leaf.seed')], false, domain)
    expect(node.out).toContain(`"$JS.hub.API.DIRECT.GET.KV_signalbox.$KV.signalbox.${acme}.>"`)
    const publisher = await run('', ['publisher', at('far.seed')], false, domain)
    expect(publisher.out).toContain('"$JS.hub.API.STREAM.CREATE.KV_signalbox"')
    expect(node.out + publisher.out).not.toContain('$JS.API')
  })

  it.each([
    ['a group that the settings do not name', 'eu:acme', ['us'], 'no group "us"'],
    ['an organization that is not there', 'eu:acmee', ['eu'], 'no organization "acmee"'],
    ['no name', 'eu:acme', [], 'needs the name of a group'],
  ])('refuses %s, and writes nothing', async (_, groups, names, message) => {
    const file = at('never.seed')
    const operands = names.length === 0 ? [] : [...names, file]
    await expect(run(groups, operands)).rejects.toThrow(message)
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it.each([
    ['other text', 'hello\n'],
    ['the seed of an account', 'SAAKQGC6DTXCVJUT33NZRYIAHEPDGJ65YLQDDWLZHGLGYR7RMTZQ2AQKPY\n'],
    ['half a seed', 'SUAOY3TA5BAYH2EJF\n'],
  ])('refuses a file with %s, and leaves it as it is', async (_, text) => {
    await writeFile(at('other'), text)
    await expect(run('eu:acme', ['eu', at('other')])).rejects.toThrow('holds no seed of a user')
    expect(await readFile(at('other'), 'utf8')).toBe(text)
  })

  it('says why a file cannot be written', async () => {
    await expect(run('eu:acme', ['eu', at('nowhere/eu.seed')])).rejects.toThrow(
      'cannot be written: there is no such file or directory',
    )
  })
})
