// An hour of stars about the pole, over a hut with a light on.

float pines(vec2 p) {
  float cover = 0.0;
  for (int k = 0; k < 3; k++) {
    float spacing = 0.13 + 0.05 * float(k);
    for (int j = -2; j <= 2; j++) {
      float cell = floor(p.x / spacing) + float(j), id = hash2(vec2(cell, float(k) + 20.0));
      float x = (cell + id) * spacing, tall = (0.16 + 0.34 * id) * (0.6 + 0.6 * smoothstep(0.1, 0.7, abs(x + 0.1)));
      float y = (p.y + 0.80 + 0.06 * sin(x * 3.0)) / tall;
      float tier = fract(y * 9.0 + abs(p.x - x) * 22.0);
      float width = tall * (1.0 - y) * (0.11 + 0.08 * (1.0 - tier)) * (0.7 + 0.5 * noise(p * 110.0));
      if (y < 1.0) cover = max(cover, smoothstep(0.004, -0.003, abs(p.x - x) - max(width, 0.0015)));
    }
  }
  return cover;
}

vec3 photo(vec2 uv) {
  vec2 pole = vec2(-0.12, 0.28), q = uv - pole;
  float r = length(q), a = atan(q.y, q.x);
  vec3 c = mix(vec3(0.20, 0.13, 0.11), vec3(0.012, 0.022, 0.060), smoothstep(-0.95, 0.1, uv.y));
  c = mix(c, vec3(0.004, 0.008, 0.028), smoothstep(0.0, 1.1, uv.y));
  c += vec3(0.035, 0.05, 0.085) * pow(fbm(turn(0.7) * uv * vec2(1.2, 3.2) + 4.0, 5), 2.0);
  for (int k = 0; k < 4; k++) {
    float rings = 60.0 + 45.0 * float(k), ring = floor(r * rings), f = fract(r * rings) - 0.5;
    for (int s = 0; s < 3; s++) {
      float id = hash2(vec2(ring, float(k * 3 + s) + 1.0)), bright = pow(hash1(id * 91.0), 9.0);
      float from = 6.2832 * hash1(id * 17.0) - 3.1416, along = mod(a - from + 12.566, 6.2832);
      float arc = smoothstep(0.0, 0.01, along) * smoothstep(0.72, 0.70, along);
      vec3 tint = mix(vec3(1.0, 0.72, 0.5), vec3(0.62, 0.78, 1.0), hash1(id * 5.0));
      c += tint * arc * bright * 1.5 * smoothstep(0.34, 0.1, abs(f)) * (0.75 + 0.25 * sin(a * 90.0 + id * 60.0));
    }
  }
  float ridge = -0.62 + 0.16 * fbm(vec2(uv.x * 2.2 + 5.0, 2.0), 7);
  c = mix(c, vec3(0.010, 0.012, 0.022), smoothstep(0.003, -0.003, uv.y - ridge));
  c = mix(c, vec3(0.0025, 0.003, 0.006), pines(uv));
  float meadow = -0.76 + 0.05 * sin(uv.x * 3.0) + 0.012 * noise(vec2(uv.x * 60.0, 0.0));
  c = mix(c, vec3(0.006, 0.0065, 0.008), smoothstep(0.003, -0.003, uv.y - meadow));
  vec2 hut = uv - vec2(0.20, -0.77);
  float roof = 0.20 - 0.75 * abs(hut.x);
  float house = max(abs(hut.x) - 0.15, max(-hut.y - 0.06, hut.y - roof));
  c = mix(c, vec3(0.006, 0.005, 0.005), smoothstep(0.003, -0.003, min(house, box2(hut - vec2(0.09, 0.18), vec2(0.014, 0.05)))));
  vec2 pane = hut - vec2(-0.04, 0.02);
  float window_ = smoothstep(0.003, -0.003, max(box2(pane, vec2(0.038, 0.042)), 0.0035 - min(abs(pane.x), abs(pane.y - 0.006))));
  c += vec3(3.4, 1.75, 0.55) * window_ * (0.7 + 0.5 * smoothstep(0.05, -0.04, pane.y));
  vec2 spill = (uv - vec2(0.15, -0.88)) * vec2(2.6, 7.0);
  c += vec3(0.16, 0.08, 0.025) * exp(-dot(spill, spill)) * step(uv.y, meadow) * (0.5 + noise(uv * vec2(120.0, 240.0)));
  return c;
}
