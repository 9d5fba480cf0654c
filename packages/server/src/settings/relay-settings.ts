/** Holds what a relay is fed by. */
export interface RelaySettings {
  /** Example: `https://config.example.com`. */
  readonly url: string
  /** Holds the relay key, `sbx_rly_…`. */
  readonly key: string
  /** Lists the public keys whose signatures the relay believes. */
  readonly publisherKeys: readonly string[]
}

/**
 * Reads the settings of a relay; `undefined` for a process that is none. A fault names the settings that are missing, or that
 * belong to a relay alone.
 */
export function readRelaySettings(
  texts: ReadonlyMap<string, string>,
  isRelay: boolean,
  faults: string[],
): RelaySettings | undefined {
  const names = ['SIGNALBOX_UPSTREAM_URL', 'SIGNALBOX_UPSTREAM_KEY', 'SIGNALBOX_PUBLISHER_KEYS']
  const [url, key, publisherKeys] = names.map((name) => texts.get(name))
  if (!isRelay) {
    const surplus = names.filter((name) => texts.has(name))
    if (surplus.length > 0) faults.push(`${surplus.join(', ')} needs SIGNALBOX_ROLES=relay.`)
    return undefined
  }
  if (url === undefined || key === undefined || publisherKeys === undefined) {
    const missing = names.filter((name) => !texts.has(name))
    faults.push(`SIGNALBOX_ROLES=relay needs ${missing.join(', ')}.`)
    return undefined
  }
  const keys = publisherKeys.split(',').map((each) => each.trim())
  if (!URL.canParse(url) || !/^https?:\/\/[^/?#@]+\/?$/.test(url)) {
    faults.push(
      'SIGNALBOX_UPSTREAM_URL must be a URL without a path, such as https://config.example.com.',
    )
  }
  if (!/^sbx_rly_\w+$/.test(key)) {
    faults.push(
      'SIGNALBOX_UPSTREAM_KEY must be a relay key, sbx_rly_…, which an admin creates under API keys.',
    )
  }
  if (!keys.every((each) => /^[\w-]{43}$/.test(each))) {
    faults.push(
      'SIGNALBOX_PUBLISHER_KEYS must be the keys that "signalbox publisher-keys" prints, separated by commas.',
    )
  }
  return { url: url.replace(/\/$/, ''), key, publisherKeys: keys }
}
