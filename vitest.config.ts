import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@signalbox/source'] },
  ssr: { resolve: { conditions: ['@signalbox/source', 'node', 'import', 'module', 'default'] } },
  test: {
    include: ['{packages,test,examples}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
