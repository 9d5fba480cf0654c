import type { Fingerprints } from '@signalbox/config/leak-scan'

/** Describes the options of the plugin. */
export interface SignalboxOptions {
  /** Id or name. Example: `production`. */
  readonly environment: string
  /** The address that browsers read at. Default: `SIGNALBOX_CONFIG_URL`. Example: `https://config.example.com`. */
  readonly baseUrl?: string
  /** A browser key, `sbx_b2m_…`. Default: `SIGNALBOX_BROWSER_KEY`. */
  readonly apiKey?: string
  /** Id or name of the organization. Default: `SIGNALBOX_ORGANIZATION`, then `.signalbox.json`. */
  readonly orgId?: string
  /** The schema by id or name, for a key that may read several. Default: `.signalbox.json`. */
  readonly schema?: string
  /**
   * How the request is sent before the scripts are there. `link`: a `<link rel="preload">` in the head. `inline`: a script
   * that writes the link out of what the `<meta>` says when the page is opened, for pages that are changed when they are
   * served. Default `link`.
   */
  readonly preload?: 'link' | 'inline' | false
  /**
   * Where address, key and environment are. `runtime`: in `<meta name="signalbox-config">`, so that one build serves
   * every environment. `build`: in the script. Default `runtime`.
   */
  readonly inject?: 'runtime' | 'build'
  /** Holds what a secret in the build does to it. Default `error`. */
  readonly leakCheck?: 'error' | 'warn' | false
  /** The definition, for the names of the secrets. Default: `signalbox.config.ts`, where there is one. */
  readonly definition?: string
  /** Of secrets that this build is not given, by `fingerprintSecrets` of `@signalbox/config/leak-scan`. */
  readonly fingerprints?: Fingerprints
}
