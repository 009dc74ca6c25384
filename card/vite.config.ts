import { defineConfig } from "vitest/config";
import manifest from "./package.json" with { type: "json" };

export default defineConfig({
  define: { __CARD_VERSION__: JSON.stringify(manifest.version) },
  build: {
    target: "es2022",
    outDir: "../custom_components/simverity/www",
    emptyOutDir: false,
    sourcemap: false,
    lib: { entry: "src/main.ts", formats: ["es"], fileName: () => "simverity-card.js" },
  },
  test: {
    include: ["test/**/*.test.ts"],
    coverage: {
      provider: "v8",
      include: ["src/controllers/**", "src/wire/**", "src/strings/**"],
      reporter: ["text"],
      thresholds: { 100: true },
    },
  },
});
