/** Returns the environment variable of a key, as `signalbox pull` and `run` name it. Examples: `apiUrl` → `API_URL`, `HTTPPort` → `HTTP_PORT`. */
export function toEnvName(key: string): string {
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[.-]+/g, '_')
  return words.replaceAll(/_{2,}/g, '_').toUpperCase()
}

const publishing = /^(?:NEXT_PUBLIC|VITE|NUXT_PUBLIC|EXPO_PUBLIC|REACT_APP|GATSBY)_/

/** Finds the key of a variable: by the key's name, by its variable, or by that with a framework's prefix. */
export function findKeyOf<Key extends { readonly key: string }>(
  keys: readonly Key[],
  name: string,
): Key | undefined {
  const bare = name.replace(publishing, '')
  return (
    keys.find(({ key }) => key === name) ??
    keys.find(({ key }) => toEnvName(key) === name.toUpperCase()) ??
    keys.find(({ key }) => toEnvName(key) === bare.toUpperCase())
  )
}
