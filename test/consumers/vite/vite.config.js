import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  preview: {
    // The same-origin address from the README. The proxy adds the API key, so it never reaches the page.
    proxy: {
      '/api': {
        target: process.env.PETSTORE_ORIGIN,
        rewrite: (path) => path.replace(/^\/api(\/petstore)?/, ''),
        headers: { Authorization: `Bearer ${process.env.PETSTORE_API_KEY}` },
      },
    },
  },
})
