import { variableNameOf } from '@signalbox/contract'

const publishing = /^(?:NEXT_PUBLIC|VITE|NUXT_PUBLIC|EXPO_PUBLIC|REACT_APP|GATSBY)_/

/** Finds the key of a variable: by the key's name, by its variable, or by that with a framework's prefix. */
export function findKeyOf<
  Key extends { readonly key: string; readonly variable?: string | undefined },
>(keys: readonly Key[], name: string): Key | undefined {
  const bare = name.replace(publishing, '')
  const findByVariable = (envName: string) =>
    keys.find(
      ({ key, variable }) => variableNameOf(key, variable).toUpperCase() === envName.toUpperCase(),
    )
  return keys.find(({ key }) => key === name) ?? findByVariable(name) ?? findByVariable(bare)
}
