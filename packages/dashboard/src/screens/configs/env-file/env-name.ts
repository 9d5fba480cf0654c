import { toEnvName } from '@signalbox/contract'

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
