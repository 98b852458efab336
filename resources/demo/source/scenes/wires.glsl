// Wires against an evening sky, starlings on them and above them.

vec3 photo(vec2 uv) {
  vec3 c = mix(vec3(1.05, 0.50, 0.30), vec3(0.62, 0.44, 0.52), smoothstep(-1.0, -0.1, uv.y));
  c = mix(c, vec3(0.20, 0.27, 0.45), smoothstep(-0.3, 1.0, uv.y));
  vec2 q = turn(0.12) * uv;
  float warp = fbm(q * 1.3 + 5.0, 4);
  float cloud = smoothstep(0.42, 0.78, fbm(vec2(q.x * 0.9, q.y * 2.6) + 1.4 * warp, 7));
  float under = smoothstep(0.42, 0.78, fbm(vec2(q.x * 0.9, (q.y + 0.06) * 2.6) + 1.4 * warp, 7));
  c = mix(c, mix(vec3(0.30, 0.20, 0.28), vec3(1.25, 0.58, 0.36), clamp(0.35 + (cloud - under) * 3.0, 0.0, 1.0)), cloud * 0.75);
  float ink = 0.0;
  for (int i = 0; i < 6; i++) {
    float k = float(i), sag = 0.05 + 0.016 * hash1(k);
    float y = 0.36 - 0.15 * k + (0.20 - 0.03 * k) * uv.x * 0.9 + sag * uv.x * uv.x;
    ink = max(ink, smoothstep(0.0045, 0.0025, abs(uv.y - y)));
    for (int j = 0; j < 30; j++) {
      float id = hash2(vec2(k * 9.0, float(j) + 3.0));
      if (id > 0.34 - 0.03 * k) continue;
      float x = -1.46 + 0.098 * float(j) + 0.05 * hash1(float(j) * 3.0 + k);
      vec2 b = uv - vec2(x, 0.36 - 0.15 * k + (0.20 - 0.03 * k) * x * 0.9 + sag * x * x + 0.020);
      if (hash1(id * 99.0) > 0.5) b.x = -b.x;
      b *= 0.95 + 0.25 * hash1(id * 31.0);
      float bird = length((turn(0.5) * b) * vec2(1.55, 1.0)) - 0.0225;
      bird = min(bird, length(b - vec2(0.010, 0.026)) - 0.0105);
      bird = min(bird, segment(b, vec2(-0.008, -0.010), vec2(-0.023, -0.040)) - 0.0042);
      bird = min(bird, segment(b, vec2(0.016, 0.028), vec2(0.027, 0.026)) - 0.0022);
      ink = max(ink, smoothstep(0.003, -0.002, bird));
    }
  }
  for (int i = 0; i < 40; i++) {
    float k = float(i);
    vec2 at = vec2(0.15 + 1.15 * hash1(k * 2.3) * hash1(k * 4.1) + 0.2 * sin(k), 0.45 + 0.42 * hash1(k * 7.7) + 0.1 * sin(k * 0.6));
    vec2 b = turn(0.5 * sin(k * 2.0)) * (uv - at) / (0.55 + 0.6 * hash1(k * 9.0));
    float flap = 0.35 + 0.5 * hash1(k * 5.0);
    float wing = abs(b.y - flap * abs(b.x) + 4.0 * b.x * b.x) - 0.0052 * smoothstep(0.036, 0.0, abs(b.x));
    ink = max(ink, smoothstep(0.0025, -0.001, max(wing, abs(b.x) - 0.036)));
  }
  vec2 pole = uv - vec2(1.22, 0.0);
  float wood = min(abs(pole.x) - 0.034, box2(pole - vec2(0.0, 0.55), vec2(0.22, 0.014)));
  for (int i = 0; i < 4; i++) wood = min(wood, box2(pole - vec2(-0.18 + 0.12 * float(i), 0.585), vec2(0.010, 0.024)));
  ink = max(ink, smoothstep(0.003, -0.003, max(wood, pole.y - 0.66)));
  return mix(c, vec3(0.010, 0.008, 0.012), ink);
}
