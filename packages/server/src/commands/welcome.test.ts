import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../settings.ts'
import { pauseBeforeStop, renderWelcome } from './welcome.ts'

const rootKey = 'A'.repeat(43)
const publisherKeys = 'B'.repeat(43)
const relay = { SIGNALBOX_ROLES: 'relay', SIGNALBOX_PUBLISHER_KEYS: publisherKeys }
const database = {
  DATABASE_URL: 'postgres://signalbox@db1.example.com/signalbox',
  SIGNALBOX_ROOT_KEY: rootKey,
}

const origins = [
  {
    name: 'the embedded database',
    variables: {},
    rows: ['Data        /srv/.signalbox (embedded PostgreSQL)'],
    pauseMs: 0,
  },
  {
    name: 'a database of its own',
    variables: database,
    rows: ['Data        /srv/.signalbox (PostgreSQL of DATABASE_URL)'],
    pauseMs: 5_000,
  },
  {
    name: 'an upstream',
    variables: {
      ...relay,
      SIGNALBOX_UPSTREAM_URL: 'https://config.example.com',
      SIGNALBOX_UPSTREAM_KEY: 'sbx_rly_x',
    },
    rows: ['Upstream    https://config.example.com', 'Cache       /srv/.signalbox'],
    pauseMs: 5_000,
  },
  {
    name: 'a file',
    variables: { ...relay, SIGNALBOX_UPSTREAM_PATH: '/srv/values.replica' },
    rows: ['Upstream    /srv/values.replica', 'Cache       /srv/.signalbox'],
    pauseMs: 5_000,
  },
  {
    name: 'NATS',
    variables: {
      SIGNALBOX_ROLES: 'delivery',
      SIGNALBOX_NATS_URL: 'nats://127.0.0.1:4222',
      SIGNALBOX_NATS_GROUP: 'eu',
      SIGNALBOX_PUBLISHER_KEYS: publisherKeys,
    },
    rows: ['NATS        nats://127.0.0.1:4222 (group eu)', 'Cache       /srv/.signalbox'],
    pauseMs: 5_000,
  },
  {
    name: 'a database, as a worker that publishes to NATS',
    variables: { ...database, SIGNALBOX_NATS_URL: 'nats://127.0.0.1:4222' },
    rows: ['Data        /srv/.signalbox (PostgreSQL of DATABASE_URL)'],
    pauseMs: 5_000,
  },
]

const service = {
  apiUrl: undefined,
  configUrl: 'http://127.0.0.1:4401',
  setupUrl: undefined,
  notices: [],
}

describe.each(origins)(
  'a node that serves what it has from $name',
  ({ variables, rows, pauseMs }) => {
    const settings = readSettings(variables, '/srv')

    it('says so when it has started', () => {
      const lines = renderWelcome(service, settings, { isTerminal: false })
      const shown = lines.map((line) => stripVTControlCharacters(line).trim())
      expect(shown[1]).toMatch(/^Signalbox \S+ is (?:ready|running)$/)
      expect(shown[1]?.endsWith('ready')).toBe(rows.some((row) => row.includes('PostgreSQL')))
      expect(shown.slice(4, -1)).toEqual(rows)
    })

    it(`serves on for ${pauseMs} ms after the signal to stop, and not at all on a terminal`, () => {
      expect(pauseBeforeStop(settings, { isTerminal: false })).toBe(pauseMs)
      expect(pauseBeforeStop(settings, { isTerminal: true })).toBe(0)
    })
  },
)

it('a node serves on for as long as its settings say', () => {
  const settings = readSettings({ ...database, SIGNALBOX_DRAIN_SECONDS: '30' }, '/srv')
  expect(pauseBeforeStop(settings, { isTerminal: true })).toBe(30_000)
})
