// A project that has registered nothing: no name compiles.
import { useFeatureFlag, usePublicConfig } from '@signalbox/next'

export function Reads() {
  // @ts-expect-error: no definition is registered
  usePublicConfig('whatever')
  // @ts-expect-error: nor is a flag
  useFeatureFlag('whatever')
  return null
}
