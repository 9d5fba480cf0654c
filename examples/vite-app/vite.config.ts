import { signalbox } from '@signalbox/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    react(),
    signalbox({ environment: process.env['SIGNALBOX_ENVIRONMENT'] ?? 'development' }),
  ],
  build: { sourcemap: true },
})
