import type { Release, Variant } from './release.ts'

/** Names the user of the image: no user of any system, and the one that images without a shell use. */
export const imageUser = { name: 'signalbox', uid: 65_532 } as const

/** Locates what the image starts, in the image. */
export const places = {
  node: '/usr/local/bin/node',
  program: '/app/packages/server/dist/main.js',
  data: '/data',
  components: '/app/sbom.cdx.json',
} as const

/**
 * Asks the address for operators, which every role has. Node is the only program there: no shell and no curl. It costs a
 * start of Node, so it is asked seldom.
 */
const readyCheck =
  "fetch('http://127.0.0.1:' + (process.env.SIGNALBOX_METRICS_PORT || 4402) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"

const secondNs = 1_000_000_000

/** Returns how a container of the image runs, in the members of the image specification and Docker's health check. */
export function renderImageConfig(release: Release, variant: Variant) {
  return {
    User: `${imageUser.uid}:${imageUser.uid}`,
    ExposedPorts: { '4400/tcp': {}, '4401/tcp': {}, '4402/tcp': {} },
    Env: [
      'PATH=/usr/local/bin:/usr/bin:/bin',
      'NODE_ENV=production',
      'SIGNALBOX_HOST=0.0.0.0',
      `SIGNALBOX_DATA_DIR=${places.data}`,
      'SIGNALBOX_METRICS_PORT=4402',
    ],
    Entrypoint: [places.node, places.program],
    Cmd: ['start'],
    WorkingDir: places.data,
    Volumes: { [places.data]: {} },
    StopSignal: 'SIGTERM',
    Healthcheck: {
      Test: ['CMD', places.node, '-e', readyCheck],
      Interval: 30 * secondNs,
      Timeout: 5 * secondNs,
      StartPeriod: 60 * secondNs,
      StartInterval: secondNs,
      Retries: 3,
    },
    Labels: {
      'org.opencontainers.image.title': 'Signalbox',
      'org.opencontainers.image.description':
        variant === 'full'
          ? 'Signalbox with an embedded PostgreSQL, for one machine'
          : 'Signalbox on your own PostgreSQL, for every role',
      'org.opencontainers.image.version': release.version,
      'org.opencontainers.image.revision': release.revision,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    },
  } as const
}
