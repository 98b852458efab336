// Grasses against the evening sun, most of them out of focus.

vec3 meadow(vec2 p) {
  vec2 sun = p - vec2(0.52, 0.36);
  vec3 c = mix(vec3(0.030, 0.030, 0.010), vec3(0.40, 0.21, 0.05), smoothstep(-1.0, 0.6, p.y + 0.25 * p.x));
  c += vec3(1.5, 0.88, 0.34) * (0.30 * exp(-2.2 * length(sun)) + 1.1 * exp(-9.0 * length(sun)));
  c = mix(c, vec3(0.16, 0.13, 0.04), 0.55 * smoothstep(0.4, 0.7, fbm(p * 1.1 + 2.0, 3)) * smoothstep(0.5, -0.4, p.y));
  for (int i = 0; i < 44; i++) {
    float k = float(i);
    vec2 at = vec2(3.2 * hash1(k * 1.9) - 1.6, 1.9 * hash1(k * 3.3) - 0.95);
    float r = 0.045 + 0.075 * hash1(k * 5.1), d = length(p - at);
    c += vec3(1.0, 0.66, 0.24) * smoothstep(r, r * 0.92, d) * (0.65 + 0.5 * smoothstep(r * 0.4, r, d)) * 0.20 * hash1(k * 7.9) * exp(-0.8 * length(at - vec2(0.52, 0.36)));
  }
  return c;
}

vec3 photo(vec2 uv) {
  vec2 lens = spread(lensDrift);
  vec2 disc = sqrt(lens.x) * vec2(cos(6.2832 * lens.y), sin(6.2832 * lens.y));
  vec3 c = meadow(uv + 0.03 * disc);
  for (int k = 0; k < 5; k++) {
    float layer = float(k), blur = k == 3 ? 0.0 : k == 4 ? 0.050 : 0.052 - 0.015 * layer;
    vec2 p = uv + disc * blur;
    float size = 0.62 + 0.16 * layer + (k == 4 ? 0.5 : 0.0), cellW = 0.24 * size;
    for (int j = -3; j <= 3; j++) {
      float cell = floor(p.x / cellW) + float(j), id = hash2(vec2(cell, layer + 11.0));
      if (k == 4 && id < 0.55) continue;
      float foot = (cell + hash1(id * 5.0)) * cellW, tall = (0.95 + 0.75 * hash1(id * 13.0)) * size;
      float bend = (0.50 * hash1(id * 3.0) - 0.12) * size, y = clamp((p.y + 1.05) / tall, 0.0, 1.0);
      vec2 tip = vec2(foot + bend, -1.05 + tall);
      float x = foot + bend * y * y;
      float stalk = abs(p.x - x) - 0.0050 * size * (1.0 - 0.6 * y);
      float slope = 2.0 * bend / tall;
      vec2 e = turn(slope * 0.8 + 0.1) * (p - tip) / size;
      float kind = hash1(id * 29.0), head = 9.0, hairs = 9.0;
      if (kind < 0.5) {
        float w = 0.026 * smoothstep(0.12, 0.02, e.y) * smoothstep(-0.26, -0.16, e.y);
        head = abs(e.x) - w * (0.72 + 0.34 * abs(sin(e.y * 95.0)));
        float spine = abs(fract((e.y + 0.35 * abs(e.x)) * 46.0) - 0.5) / 46.0;
        hairs = max(max(spine - 0.0011, abs(e.x) - w - 0.040 * smoothstep(0.16, 0.0, e.y)), max(e.y - 0.13, -e.y - 0.24));
      } else if (kind < 0.8) {
        for (int s = 0; s < 7; s++) {
          float t = float(s) / 6.0, way = s % 2 == 0 ? 1.0 : -1.0;
          vec2 a = vec2(0.0, -0.26 + 0.30 * t), b = a + vec2(way * (0.085 - 0.05 * t), 0.055);
          hairs = min(hairs, segment(e, a, b) - 0.0016);
          head = min(head, length((turn(-way * 0.8) * (e - b)) * vec2(2.3, 1.0)) - 0.022);
        }
        head = min(head, length(e * vec2(2.2, 1.0) - vec2(0.0, 0.05)) - 0.024);
      }
      float toSun = exp(-1.1 * length(p - vec2(0.52, 0.36)));
      vec3 straw = mix(vec3(0.21, 0.15, 0.035), vec3(0.34, 0.21, 0.055), hash1(id * 17.0)) * (0.12 + 0.8 * toSun);
      vec3 glow = vec3(1.9, 1.05, 0.36) * (0.10 + 1.25 * toSun);
      float soft = 0.003;
      if (y < 1.0 && p.y > -1.05) c = mix(c, mix(straw, glow, smoothstep(-0.004 * size, 0.0, stalk) * 0.6), smoothstep(soft, -soft, stalk));
      c = mix(c, glow, 0.62 * smoothstep(soft, -0.001, hairs));
      c = mix(c, mix(straw * 1.2, glow, smoothstep(-0.014, 0.002, head)), smoothstep(soft, -soft, head));
    }
  }
  vec2 q = uv - vec2(0.52, 0.36);
  return c + vec3(0.20, 0.11, 0.04) * exp(-1.6 * length(q));
}
