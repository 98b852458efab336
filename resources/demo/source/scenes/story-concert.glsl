// A concert from the tenth row: beams, smoke, heads and hands.

vec3 photo(vec2 uv) {
  float smoke = fbm(uv * vec2(1.8, 2.4) + 0.9 * fbm(uv * 2.2 + 4.0, 4), 6);
  vec3 c = vec3(0.010, 0.008, 0.022) + vec3(0.10, 0.03, 0.13) * smoke * smoothstep(0.9, -0.6, uv.y);
  for (int i = 0; i < 9; i++) {
    float k = float(i);
    vec2 lamp = vec2(-0.52 + 0.13 * k, 0.80 + 0.02 * sin(k)), to = uv - lamp;
    float angle = 0.42 * sin(k * 1.9 + 0.6), along = dot(to, vec2(sin(angle), -cos(angle))), off = abs(dot(to, vec2(cos(angle), sin(angle))));
    float wide = 0.012 + 0.085 * along;
    vec3 tint = i % 3 == 0 ? vec3(0.16, 0.34, 1.0) : i % 3 == 1 ? vec3(1.0, 0.22, 0.52) : vec3(0.92, 0.56, 0.25);
    float beam = along > 0.0 ? exp(-pow(off / wide, 2.0) * 1.6) * exp(-along * 0.95) : 0.0;
    c += tint * beam * (0.35 + 1.0 * smoke) * 0.85;
    c += tint * (3.2 * smoothstep(0.022, 0.012, length(to)) + 0.0024 / (dot(to, to) + 0.003));
  }
  float truss = max(abs(uv.y - 0.86) - 0.040, 0.0);
  float web = min(abs(fract((uv.x + uv.y) * 9.0) - 0.5), abs(fract((uv.x - uv.y) * 9.0) - 0.5)) / 9.0;
  c = mix(c, vec3(0.008), step(truss, 0.0) * max(smoothstep(0.008, 0.004, web), smoothstep(0.030, 0.034, abs(uv.y - 0.86))));
  vec2 stage = uv - vec2(0.03, -0.30);
  c += vec3(0.55, 0.22, 0.42) * exp(-9.0 * stage.y * stage.y) * exp(-4.0 * uv.x * uv.x) * 0.55;
  vec2 s = uv - vec2(0.02, -0.335);
  float singer = min(length((s - vec2(0.0, 0.205)) * vec2(1.1, 0.92)) - 0.026, segment(s, vec2(0.0, 0.155), vec2(0.004, 0.075)) - 0.036);
  singer = min(singer, min(segment(s, vec2(-0.012, 0.06), vec2(-0.035, -0.08)) - 0.017, segment(s, vec2(0.016, 0.06), vec2(0.042, -0.08)) - 0.017));
  singer = min(singer, min(segment(s, vec2(0.03, 0.165), vec2(0.105, 0.25)) - 0.0115, segment(s, vec2(-0.03, 0.160), vec2(-0.055, 0.115)) - 0.0115));
  singer = min(singer, min(segment(s, vec2(-0.055, 0.115), vec2(-0.018, 0.185)) - 0.010, segment(s, vec2(-0.016, 0.188), vec2(-0.05, -0.09)) - 0.0030));
  c = mix(c, vec3(0.010, 0.006, 0.012) + vec3(0.6, 0.25, 0.5) * 0.5 * smoothstep(-0.008, 0.0, singer), smoothstep(0.003, -0.003, singer));
  vec2 kit = uv - vec2(-0.22, -0.345);
  float drums = min(length(kit - vec2(0.0, 0.0)) - 0.062, min(segment(kit, vec2(-0.075, 0.10), vec2(-0.015, 0.115)) - 0.004, segment(kit, vec2(0.025, 0.12), vec2(0.085, 0.10)) - 0.004));
  drums = min(drums, min(segment(kit, vec2(-0.045, 0.105), vec2(-0.055, -0.06)) - 0.003, segment(kit, vec2(0.055, 0.11), vec2(0.06, -0.06)) - 0.003));
  drums = min(drums, min(length(kit - vec2(0.0, 0.115)) - 0.024, segment(kit, vec2(0.0, 0.08), vec2(0.0, 0.02)) - 0.030));
  c = mix(c, vec3(0.012, 0.008, 0.016), smoothstep(0.003, -0.003, drums));
  for (int k = 0; k < 4; k++) {
    float row = float(k), size = 0.045 + 0.026 * row, base = -0.47 - 0.115 * row, body = 9.0;
    for (int i = -1; i <= 1; i++) {
      float cellW = size * 1.9, cell = floor(uv.x / cellW + 0.31 * row) + float(i), id = hash2(vec2(cell, row + 3.0));
      vec2 q = uv - vec2((cell - 0.31 * row + 0.3 + 0.4 * id) * cellW, base + 0.04 * (id - 0.5));
      float hair = 0.006 * noise(q * 90.0) ;
      body = min(body, length((q - vec2(0.0, size * 0.85)) * vec2(1.12, 0.95)) - size * 0.58 - hair);
      body = min(body, length((q + vec2(0.0, size * 0.85)) * vec2(0.62, 0.80)) - size * 0.80);
      if (hash1(id * 7.0) > 0.48) {
        float lean = (hash1(id * 11.0) - 0.5) * 0.9, s2 = hash1(id * 3.0) > 0.5 ? 1.0 : -1.0;
        vec2 elbow = vec2(s2 * size * 1.0, size * 0.85), hand = elbow + vec2(lean * size, size * (1.6 + 0.6 * hash1(id * 19.0)));
        body = min(body, min(segment(q, vec2(s2 * size * 0.6, -size * 0.5), elbow) - size * 0.23, segment(q, elbow, hand) - size * 0.17));
        body = min(body, length((q - hand - vec2(0.0, size * 0.12)) * vec2(1.25, 0.9)) - size * 0.21);
        if (hash1(id * 23.0) > 0.72) {
          float phone = box2(q - hand - vec2(0.0, size * 0.45), vec2(size * 0.23, size * 0.40));
          c = mix(c, vec3(0.55, 0.55, 0.95), smoothstep(0.003, -0.003, phone));
        }
      }
    }
    vec3 dark = mix(vec3(0.050, 0.018, 0.060), vec3(0.005, 0.004, 0.010), row / 3.0);
    c = mix(c, dark + vec3(0.42, 0.13, 0.36) * smoothstep(-0.010, 0.0, body) * (1.0 - 0.24 * row), smoothstep(0.004, -0.004, body));
    c = mix(c, dark, smoothstep(0.0, -0.05, uv.y - base + size * 0.6));
  }
  return c * 1.3;
}
