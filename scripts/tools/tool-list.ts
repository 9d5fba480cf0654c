/** Describes a program that tests start and npm does not have. */
export interface ToolDefinition {
  /** Names the package of Debian 13, and of most other distributions. */
  readonly package: string
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
  nginx: {
    package: 'nginx',
    versionArgs: ['-v'],
    version: /nginx\/(\d+\.\d+\.\d+)/,
    least: '1.18.0',
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>

/** Names a program of the list. */
export type ToolName = keyof typeof toolList
