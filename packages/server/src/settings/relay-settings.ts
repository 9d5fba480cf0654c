/** Holds what a relay is fed by: another delivery, or a file. */
export type RelaySettings = {
  /** Lists the public keys whose signatures the relay believes. */
  readonly publisherKeys: readonly string[]
} & (
  | {
      /** Example: `https://config.example.com`. */
      readonly url: string
      /** Holds the relay key, `sbx_rly_…`. */
      readonly key: string
    }
  | {
      /** Holds the path of a file that `signalbox replica export` has written. */
      readonly file: string
    }
)

const urlName = 'SIGNALBOX_UPSTREAM_URL'
const keyName = 'SIGNALBOX_UPSTREAM_KEY'
const pathName = 'SIGNALBOX_UPSTREAM_PATH'
const publisherName = 'SIGNALBOX_PUBLISHER_KEYS'

/**
 * Reads the settings of a relay; `undefined` for a process that is none. A violation names the settings that are missing, or that
 * belong to a relay alone.
 */
export function readRelaySettings(
  texts: ReadonlyMap<string, string>,
  roles: ReadonlySet<string>,
  violations: string[],
): RelaySettings | undefined {
  const isRelay = roles.has('relay')
  const file = texts.get(pathName)
  const violation = findViolation(texts, isRelay)
  if (violation !== undefined) violations.push(violation)
  if (violation !== undefined || !isRelay) return undefined
  const publisherKeys = readPublisherKeys(texts, violations)
  return file === undefined
    ? { ...readAddress(texts, violations), publisherKeys }
    : { file, publisherKeys }
}

/** Returns why these settings do not belong together. */
function findViolation(texts: ReadonlyMap<string, string>, isRelay: boolean): string | undefined {
  const have = (names: readonly string[]) => names.filter((name) => texts.has(name))
  const hasPath = texts.has(pathName)
  if (!isRelay) {
    // A node that NATS feeds has the keys as well.
    const others = texts.has('SIGNALBOX_NATS_URL') ? [] : [publisherName]
    const surplus = have([urlName, keyName, ...others, pathName])
    return surplus.length === 0 ? undefined : `${surplus.join(', ')} needs SIGNALBOX_ROLES=relay.`
  }
  if (hasPath && have([urlName, keyName]).length > 0) {
    return `${pathName} replaces ${urlName} and ${keyName}: leave them out.`
  }
  const needed = hasPath ? [publisherName] : [urlName, keyName, publisherName]
  const missing = needed.filter((name) => !texts.has(name))
  return missing.length === 0 ? undefined : `SIGNALBOX_ROLES=relay needs ${missing.join(', ')}.`
}

function readAddress(texts: ReadonlyMap<string, string>, violations: string[]) {
  const url = texts.get(urlName) ?? ''
  const key = texts.get(keyName) ?? ''
  if (!URL.canParse(url) || !/^https?:\/\/[^/?#@]+\/?$/.test(url)) {
    violations.push(`${urlName} must be a URL without a path, such as https://config.example.com.`)
  }
  if (!/^sbx_rly_\w+$/.test(key)) {
    violations.push(
      `${keyName} must be a relay key, sbx_rly_…, which an admin creates under API keys.`,
    )
  }
  return { url: url.replace(/\/$/, ''), key }
}

/** Reads the public keys whose signatures a node without a database believes. */
export function readPublisherKeys(
  texts: ReadonlyMap<string, string>,
  violations: string[],
): readonly string[] {
  const keys =
    texts
      .get(publisherName)
      ?.split(',')
      .map((each) => each.trim()) ?? []
  if (!keys.every((each) => /^[\w-]{43}$/.test(each))) {
    violations.push(
      `${publisherName} must be the keys that "signalbox publisher-keys" prints, separated by commas.`,
    )
  }
  return keys
}
