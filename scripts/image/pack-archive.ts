import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import { places, renderImageConfig } from './image-config.ts'
import { layFiles, layers } from './lay-files.ts'
import { readRelease, type Release, type Variant } from './release.ts'

const run = promisify(execFile)

/** Describes the archive to write. */
export interface PackArchive {
  readonly root: string
  readonly variant: Variant
  readonly output: string
  /** Holds the files of the image where they are laid already. */
  readonly files?: string
  /** Selects the level of gzip. Default 9. */
  readonly level?: number
}

/** Describes a written archive. */
export interface PackedArchive {
  readonly digest: string
  readonly sizeBytes: number
  /** Holds the list of components, as the image has it too. */
  readonly components: string
}

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

interface Layer extends Descriptor {
  /** Holds the digest before it is packed. */
  readonly diffId: string
}

/**
 * Packs an image as an OCI layout (image-spec 1.1) in a tar, with the `manifest.json` that `docker load` reads too. The same
 * sources on the same system give the same bytes: no layer has a time but the commit's, nor an owner of this machine.
 */
export async function packArchive({
  root,
  variant,
  output,
  files,
  level = 9,
}: PackArchive): Promise<PackedArchive> {
  const work = await mkdtemp(join(tmpdir(), 'signalbox-image-'))
  try {
    const release = readRelease(root, variant)
    const directory = files ?? join(work, 'files')
    if (files === undefined) await layFiles({ root, variant, directory })
    const components = await readFile(join(directory, places.components), 'utf8')
    const layout = join(work, 'layout')
    const blobs = join(layout, 'blobs/sha256')
    await mkdir(blobs, { recursive: true })
    const packed: Layer[] = []
    for (const layer of layers)
      packed.push(await packLayer({ ...layer, directory, blobs, level, release }))
    const digest = await writeLayout({ layout, blobs, layers: packed, release, variant })
    const paths = ['blobs', 'index.json', 'manifest.json', 'oci-layout']
    await tar({ release, directory: layout, output, paths, uid: 0 })
    return { digest, components, sizeBytes: (await stat(output)).size }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

interface Tar {
  readonly release: Pick<Release, 'epochSeconds'>
  readonly directory: string
  readonly output: string
  readonly paths: readonly string[]
  /** Owns everything in it. */
  readonly uid: number
}

/** Packs with GNU tar, sorted, and with neither users nor times of this machine. */
async function tar({ release, directory, output, paths, uid }: Tar): Promise<void> {
  await run('tar', [
    '--create',
    `--file=${output}`,
    `--directory=${directory}`,
    '--sort=name',
    '--format=posix',
    '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime',
    `--mtime=@${release.epochSeconds}`,
    `--owner=:${uid}`,
    `--group=:${uid}`,
    '--numeric-owner',
    // Nobody but the owner, who is root, writes: whatever the umask was.
    ...(uid === 0 ? ['--mode=u+rw,go-w,a+rX'] : []),
    ...paths,
  ])
}

interface PackLayer {
  readonly directory: string
  readonly paths: readonly string[]
  readonly uid: number
  readonly blobs: string
  readonly level: number
  readonly release: Release
}

async function packLayer(options: PackLayer): Promise<Layer> {
  const { directory, uid, blobs, level, release } = options
  const { stdout } = await run('ls', ['-A', directory])
  const there = new Set(stdout.split('\n'))
  const paths = options.paths.filter((path) => there.has(path))
  const plain = join(blobs, 'layer.tar')
  const zipped = join(blobs, 'layer.tar.gz')
  await tar({ release, directory, output: plain, paths, uid })
  await pipeline(createReadStream(plain), createGzip({ level }), createWriteStream(zipped))
  const diffId = await digestOf(plain)
  const digest = await digestOf(zipped)
  const { size } = await stat(zipped)
  await rename(zipped, join(blobs, digest))
  await rm(plain)
  return {
    mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
    digest: `sha256:${digest}`,
    size,
    diffId: `sha256:${diffId}`,
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

interface WriteLayout {
  readonly layout: string
  readonly blobs: string
  readonly layers: readonly Layer[]
  readonly release: Release
  readonly variant: Variant
}

/** Writes the image's configuration, its manifest and the indexes of both formats. Returns the digest of the manifest. */
async function writeLayout(options: WriteLayout): Promise<string> {
  const { layout, blobs, layers: packed, release, variant } = options
  const created = new Date(release.epochSeconds * 1_000).toISOString()
  const writeBlob = async (mediaType: string, value: object): Promise<Descriptor> => {
    const text = JSON.stringify(value)
    const digest = createHash('sha256').update(text).digest('hex')
    await writeFile(join(blobs, digest), text)
    return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(text) }
  }
  const config = await writeBlob('application/vnd.oci.image.config.v1+json', {
    created,
    architecture: release.architecture,
    os: 'linux',
    config: renderImageConfig(release, variant),
    rootfs: { type: 'layers', diff_ids: packed.map(({ diffId }) => diffId) },
    history: packed.map(() => ({ created, created_by: 'scripts/image.ts' })),
  })
  const manifest = await writeBlob('application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config,
    layers: packed.map(({ mediaType, digest, size }) => ({ mediaType, digest, size })),
  })
  const pathOf = ({ digest }: Descriptor) => `blobs/sha256/${digest.replace('sha256:', '')}`
  const files = {
    'oci-layout': { imageLayoutVersion: '1.0.0' },
    'index.json': {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [
        {
          ...manifest,
          platform: { architecture: release.architecture, os: 'linux' },
          annotations: {
            'io.containerd.image.name': `docker.io/library/${release.reference}`,
            'org.opencontainers.image.ref.name': release.reference.replace(/^.*:/, ''),
          },
        },
      ],
    },
    'manifest.json': [
      { Config: pathOf(config), RepoTags: [release.reference], Layers: packed.map(pathOf) },
    ],
  }
  for (const [name, value] of Object.entries(files))
    await writeFile(join(layout, name), JSON.stringify(value))
  return manifest.digest
}
