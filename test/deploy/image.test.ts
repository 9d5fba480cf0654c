import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { imageUser, places, renderImageConfig } from '../../scripts/image/image-config.ts'
import { layFiles } from '../../scripts/image/lay-files.ts'
import { packArchive } from '../../scripts/image/pack-archive.ts'
import { readRelease, variants, type Variant } from '../../scripts/image/release.ts'
import { root } from '../architecture/source-files.ts'
import { judgeComponents } from './judge-components.ts'
import { findObstacle, runInNamespaces, type Container, type RunImage } from './run-image.ts'

const run = promisify(execFile)

let work: string
const files = (variant: Variant) => join(work, variant)

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'signalbox-image-'))
  await Promise.all(
    variants.map((variant) => layFiles({ root, variant, directory: files(variant) })),
  )
})
afterAll(async () => {
  for (const container of running) await container.signal('SIGKILL').catch(() => undefined)
  await rm(work, { recursive: true, force: true })
})

/** Lists every file by its path in the image. */
async function listFiles(variant: Variant): Promise<string[]> {
  const entries = await readdir(files(variant), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(files(variant).length))
}

interface ComponentList {
  readonly components: readonly {
    readonly name: string
    readonly version: string
    readonly purl?: string
  }[]
}

const listOf = (variant: Variant) => readFileSync(join(files(variant), places.components), 'utf8')
const componentsOf = (variant: Variant): ComponentList => JSON.parse(listOf(variant))

describe.each(variants)('the image %s', (variant) => {
  it('has no source, type, map or tool of the development, and no program but its own', async () => {
    const paths = await listFiles(variant)
    expect(paths.filter((path) => /\.(?:[cm]?ts|tsx|map)$/.test(path))).toEqual([])
    expect(
      paths.filter((path) =>
        /\/(?:src|testing)\/.*signalbox|\/node_modules\/(?:vitest|typescript|@types)\//.test(path),
      ),
    ).toEqual([])
    const programs = paths.filter((path) => /^\/(?:usr\/)?(?:local\/)?s?bin\//.test(path))
    expect(programs.sort()).toEqual(variant === 'full' ? ['/bin/sh', places.node] : [places.node])
    expect(paths.some((path) => path.endsWith('/bin/postgres'))).toBe(variant === 'full')
    expect(paths).toContain(places.program)
  })

  it('lists each of its packages, and nothing that it does not have', async () => {
    const { components } = componentsOf(variant)
    expect(await judgeComponents(listOf(variant))).toEqual([])
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
    const manifests = (await listFiles(variant)).filter((path) =>
      /\/node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path),
    )
    const there = manifests.map((path): string => {
      const { name, version } = JSON.parse(
        readFileSync(join(files(variant), path), 'utf8'),
      ) as Record<string, string>
      return `${name}@${version}`
    })
    expect(there.length).toBeGreaterThan(40)
    expect(there.filter((each) => !listed.has(each))).toEqual([])
    const ofNpm = components.filter(({ purl }) => purl?.startsWith('pkg:npm/'))
    const absent = ofNpm.filter(({ name, version }) => !there.includes(`${name}@${version}`))
    // The two that are laid where they are in the repository.
    expect(absent.map(({ name }) => name)).toEqual(['@signalbox/contract', '@signalbox/server'])
    const others = components
      .filter(({ purl }) => !purl?.startsWith('pkg:npm/'))
      .map(({ name }) => name)
    expect(others).toEqual(expect.arrayContaining(['node', 'libc6', 'libstdc++6']))
    expect(others.includes('postgresql')).toBe(variant === 'full')
  })

  it('has the licence of each library, and lets nobody but root change a file', async () => {
    const paths = await listFiles(variant)
    const deb = componentsOf(variant).components.filter(({ purl }) => purl?.startsWith('pkg:deb/'))
    for (const { name } of deb) expect(paths).toContain(`/usr/share/doc/${name}/copyright`)
    const modes = await Promise.all(paths.map((path) => lstat(join(files(variant), path))))
    const open = paths.filter((_, at) => {
      const found = modes[at]
      return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o6002) !== 0
    })
    expect(open).toEqual([])
  })
})

describe('an archive of the image', () => {
  it('is a layout as the specification says: each digest is that of its bytes, and the data belongs to the user', async () => {
    // The bytes of Node and of packages are no different from others: the whole is packed at scale.
    const some = join(work, 'some')
    await cp(files('slim'), some, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => {
        const inside = path.slice(files('slim').length)
        return inside !== places.node && !inside.startsWith('/app/node_modules')
      },
    })
    const output = join(work, 'slim.tar')
    const packed = await packArchive({ root, variant: 'slim', output, files: some, level: 0 })
    const layout = join(work, 'layout')
    await mkdir(layout)
    await run('tar', ['--extract', `--file=${output}`, `--directory=${layout}`])
    const blobs = join(layout, 'blobs/sha256')
    for (const name of await readdir(blobs)) {
      expect(
        createHash('sha256')
          .update(await readFile(join(blobs, name)))
          .digest('hex'),
      ).toBe(name)
    }
    const readJson = async (path: string) => JSON.parse(await readFile(join(layout, path), 'utf8'))
    const blob = (digest: string) => `blobs/sha256/${digest.replace('sha256:', '')}`
    const index = await readJson('index.json')
    expect(index.manifests).toHaveLength(1)
    expect(index.manifests[0].digest).toBe(packed.digest)
    const manifest = await readJson(blob(packed.digest))
    const config = await readJson(blob(manifest.config.digest))
    expect(config.config.User).toBe('65532:65532')
    expect(config.rootfs.diff_ids).toHaveLength(manifest.layers.length)
    const listing = await Promise.all(
      manifest.layers.map(async ({ digest }: { digest: string }) =>
        (
          await run(
            'tar',
            ['--list', '--verbose', '--numeric-owner', `--file=${join(layout, blob(digest))}`],
            { maxBuffer: 1e8 },
          )
        ).stdout.split('\n'),
      ),
    )
    const lines = listing.flat()
    const owned = lines.filter((line) => line.includes(` ${imageUser.uid}/${imageUser.uid} `))
    expect(owned.map((line) => line.split(' ').at(-1))).toEqual(['data/', 'tmp/'])
    expect(lines.find((line) => line.endsWith(' tmp/'))).toMatch(/^drwxrwxrwt/)
    expect(lines.find((line) => line.endsWith(' data/'))).toMatch(/^drwx------/)
    expect(await readJson('manifest.json')).toEqual([
      {
        Config: blob(manifest.config.digest),
        RepoTags: [expect.stringMatching(/^signalbox:\d.*-slim$/)],
        Layers: manifest.layers.map(({ digest }: { digest: string }) => blob(digest)),
      },
    ])
  })

  it.runIf(inject('scale') > 1)('has the same bytes when it is packed again', async () => {
    const outputs = ['first', 'second'].map((name) => join(work, `${name}.tar`))
    for (const output of outputs) await packArchive({ root, variant: 'full', output, level: 1 })
    const [first, second] = await Promise.all(outputs.map((output) => readFile(output)))
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true)
  })
})

const running = new Set<Container>()
const obstacle = findObstacle()
if (obstacle !== undefined) console.warn(`SKIPPED: the images are not started. ${obstacle}`)

describe.skipIf(obstacle !== undefined)('a container', () => {
  const anyPort = {
    SIGNALBOX_API_PORT: '0',
    SIGNALBOX_DELIVERY_PORT: '0',
    SIGNALBOX_METRICS_PORT: '0',
  }
  const start = async (
    variant: Variant,
    data: string,
    more: Pick<RunImage, 'env' | 'args'> = {},
  ) => {
    const container = await runInNamespaces({
      files: files(variant),
      config: renderImageConfig(readRelease(root, variant), variant),
      data: join(work, data),
      args: ['start', '--json'],
      ...more,
      env: { ...anyPort, ...more.env },
    })
    running.add(container)
    void container.ended.then(() => running.delete(container))
    return container
  }
  const statusOf = async (url = '') => (await fetch(url)).status

  it.concurrent('of the full image starts with its own database as an unprivileged user, keeps its data, and ends in order', async () => {
    const startedAt = performance.now()
    const first = await start('full', 'data')
    const { apiUrl, configUrl, metricsUrl } = await first.started
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect(await statusOf(`${apiUrl}/readyz`)).toBe(200)
    expect(await statusOf(`${configUrl}/readyz`)).toBe(200)
    expect(await statusOf(`${metricsUrl}/metrics`)).toBe(200)
    const status = await readFile(`/proc/${await first.pid()}/status`, 'utf8')
    expect(status).toMatch(new RegExp(`^Uid:\\t${imageUser.uid}\\t`, 'm'))
    expect(status).toMatch(/^CapEff:\t0+$/m)
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).toMatch(/^NSpid:\t\d+(?:\t\d+)*\t1$/m)
    await first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(first.output()).toContain('Created the embedded database')
    const second = await start('full', 'data')
    await second.started
    await second.signal('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(second.output()).toContain('Started the embedded database')
  })

  it.concurrent('says by its health check whether the start is complete', async () => {
    const check = renderImageConfig(readRelease(root, 'slim'), 'slim').Healthcheck.Test.slice(1)
    const delivering = await start('slim', 'delivery', {
      env: { SIGNALBOX_ROLES: 'delivery', DATABASE_URL: 'postgres://u@127.0.0.1:1/away' },
    })
    const { metricsUrl = '' } = await delivering.started
    expect(await askWithNode(check, new URL(metricsUrl).port)).toBe(0)
    await delivering.signal('SIGTERM')
    expect(await delivering.ended).toBe(0)
    expect(await askWithNode(check, new URL(metricsUrl).port)).toBe(1)
  })

  it.concurrent('of the slim image says that it needs a database of yours', async () => {
    const refused = await start('slim', 'none')
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toContain('DATABASE_URL')
  })

  /** Runs the command of the health check with the image's own Node. */
  async function askWithNode([, ...args]: readonly string[], port: string): Promise<number> {
    const node = join(files('slim'), places.node)
    return run(node, args, { env: { SIGNALBOX_METRICS_PORT: port } }).then(
      () => 0,
      (error: unknown) => Number((error as { code?: number }).code),
    )
  }
})
