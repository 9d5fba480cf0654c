import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { evaluateAtBuild } from './evaluate-at-build.ts'
import { fontFaces } from './font-faces.ts'
import { precompress } from './precompress.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwindcss(),
    evaluateAtBuild(join(import.meta.dirname, 'src/api/topics-by-route.ts')),
    fontFaces(),
    precompress(),
  ],
  resolve: { conditions: ['@signalbox/source', ...defaultClientConditions] },
  build: {
    // The server's package serves the build from here.
    outDir: join(import.meta.dirname, '../server/public'),
    emptyOutDir: true,
    // A font or an image inside the style sheet would be loaded by everyone; as a file, by who shows it.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, which the Content-Security-Policy refuses; every browser we serve preloads by itself.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
